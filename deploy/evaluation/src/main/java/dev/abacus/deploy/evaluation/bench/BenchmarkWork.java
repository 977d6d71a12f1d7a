package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.topology.live.DocumentWork;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.WorkContext;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What each contender does with a document, on the calling thread: the prompt, the call and the
 * result of the product, without checkpoints and receipts. Thread-safe.
 */
final class BenchmarkWork {

  private static final WorkContext NOTHING_KEPT = _ -> {};

  private final BenchmarkProgram program;
  private final DocumentWork work;

  BenchmarkWork(BenchmarkProgram program, ModelClient model) {
    this.program = program;
    this.work = DocumentWork.whole(program.program(), program.services(model));
  }

  /** Processes a document; returns its results. */
  List<OutputRecord> process(byte @Nullable [] key, byte[] value, long timestamp)
      throws InterruptedException {
    InputRecord arrival = new InputRecord(key, value, timestamp, List.of(), "", -1, -1);
    PendingRecord job = new PendingRecord(arrival, work.stamp(arrival), Instant.now());
    return work.run(job, NOTHING_KEPT).outputs();
  }

  /** The request to the model that a document leads to. */
  ModelRequest request(byte[] value) throws InterruptedException {
    AtomicReference<@Nullable ModelRequest> seen = new AtomicReference<>();
    ModelClient recorder =
        request -> {
          seen.set(request);
          return BenchmarkModel.ANSWER;
        };
    var _ = new BenchmarkWork(program, recorder).process(null, value, 0);
    return Objects.requireNonNull(seen.get());
  }
}
