package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A simulated model with a fixed latency. Its answer is the epoch of the plan that makes the call.
 */
final class EchoModelClient implements ModelClient {

  private final Duration latency;
  private final Map<Long, Long> firstCalls = new ConcurrentHashMap<>();

  EchoModelClient(Duration latency) {
    this.latency = latency;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    long epoch = BenchmarkProgram.planOf(request.system());
    firstCalls.putIfAbsent(epoch, System.nanoTime());
    Thread.sleep(latency);
    ResponseSchema schema = Objects.requireNonNull(request.responseSchema());
    String field = schema.schema().path("properties").fieldNames().next();
    return new ModelAnswer.Success(
        "{\"%s\":\"%d\"}".formatted(field, epoch),
        new ExecutionStats(0, latency.toNanos() / 1e9, 1, TokenCounts.of(200, 0, 5)),
        List.of());
  }

  /** Returns the {@link System#nanoTime} of the first call under each plan that made one. */
  Map<Long, Long> firstCalls() {
    return firstCalls;
  }
}
