package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker refuses results: for their timestamp, or because a compacted topic needs keys. The
 * transaction of such a result cannot commit; still no call is paid for twice.
 */
class RefusedRecordsIT {

  private static final int DOCUMENTS = 60;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PROGRAM =
      """
      program: refused
      sources: { messages: { topic: refused.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: refused.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  @Test
  void refusedResultsStopNothingAndAreNotPaidForTwice() throws Exception {
    Map<String, String> strict =
        Map.of("cleanup.policy", "compact", "message.timestamp.before.max.ms", "3600000");
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(50)));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 2, strict);
        KafkaConsumer<String, String> outputs = program.outputs()) {
      long old = System.currentTimeMillis() - Duration.ofDays(2).toMillis();
      for (int i = 0; i < DOCUMENTS; i++) {
        // Every third document has no key, every fifth is old.
        program.send(
            i % 2,
            i % 5 == 0 ? old : null,
            i % 3 == 0 ? null : "key-" + i,
            "{\"number\":%d,\"text\":\"Message %d.\"}".formatted(i, i));
      }
      Set<String> results = new HashSet<>();
      Set<String> letters = new HashSet<>();
      try (Worker _ =
          RunningProgram.worker(
              kafka, endpoint, folder.resolve("state"), Map.of("abacus.in.flight", "20"))) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (results.size() + letters.size() < DOCUMENTS) {
          assertThat(System.nanoTime())
              .as("%d results, %d dead letters", results.size(), letters.size())
              .isLessThan(deadline);
          for (ConsumerRecord<String, String> record : outputs.poll(Duration.ofMillis(100))) {
            (record.topic().equals("refused.out") ? results : letters).add(record.value());
          }
        }
      }

      assertThat(letters).hasSize(DOCUMENTS / 3);
      JsonNode statistics = RunningProgram.statistics(endpoint);
      assertThat(statistics.path("calls").asInt()).isGreaterThanOrEqualTo(DOCUMENTS);
      assertThat(statistics.path("repeatedRequests").asInt()).as("%s", statistics).isZero();
    }
  }
}
