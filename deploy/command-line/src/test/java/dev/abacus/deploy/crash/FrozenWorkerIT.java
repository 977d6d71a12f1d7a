package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is stopped for longer than its session. Another one takes over, answers all documents
 * and leaves in order; then the first one continues.
 */
class FrozenWorkerIT {

  private static final int PARTITIONS = 4;
  private static final int DOCUMENTS = 400;
  private static final int BEFORE = 60;
  private static final int LATER = 20;

  /** Calls that may run or wait for their receipt: {@code abacus.in.flight} and its reserve. */
  private static final int OPEN_CALLS = 36;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PROGRAM =
      """
      program: frozen
      sources: { messages: { topic: frozen.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: frozen.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  private final Map<String, Integer> results = new HashMap<>();

  @Test
  void aFrozenWorkerRepeatsNoMoreThanItsCallsInFlight() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofSeconds(1)));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        PlaneProcess frozen = worker(kafka, endpoint, "frozen")) {
      send(program, 0, DOCUMENTS);
      await(outputs, BEFORE);
      frozen.freeze();
      try (PlaneProcess owner = worker(kafka, endpoint, "owner")) {
        await(outputs, DOCUMENTS);
        assertThat(owner.terminate()).as("exit code").isZero();
      }
      frozen.thaw();
      send(program, DOCUMENTS, DOCUMENTS + LATER);
      await(outputs, DOCUMENTS + LATER);

      assertThat(results.values()).containsOnly(1);
      assertThat(RunningProgram.statistics(endpoint).path("repeatedRequests").asInt())
          .as("%s", RunningProgram.statistics(endpoint))
          .isLessThanOrEqualTo(OPEN_CALLS);
    }
  }

  private static void send(RunningProgram program, int from, int to) {
    for (int i = from; i < to; i++) {
      program.send(i % PARTITIONS, null, "key-" + i, "{\"text\":\"Message %d.\"}".formatted(i));
    }
  }

  private void await(KafkaConsumer<String, String> outputs, int count) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (results.size() < count) {
      assertThat(System.nanoTime()).as("%d results", results.size()).isLessThan(deadline);
      outputs
          .poll(Duration.ofMillis(100))
          .forEach(result -> results.merge(result.key(), 1, Integer::sum));
    }
  }

  private PlaneProcess worker(LocalKafka kafka, SimulatedEndpoint endpoint, String name)
      throws IOException {
    return PlaneProcess.command(
        List.of(
            "worker",
            "--bootstrap-server",
            kafka.bootstrapServers(),
            "--data",
            folder.resolve(name).toString(),
            "--instance",
            name,
            "--model-endpoint",
            endpoint.baseUri().toString(),
            "-X",
            "abacus.in.flight=20",
            "-X",
            "session.timeout.ms=6000",
            "-X",
            "auto.offset.reset=earliest"),
        folder.resolve(name + ".log"));
  }
}
