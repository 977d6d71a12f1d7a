package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group value that is nearly as large as a document may be, on a real broker. */
class LargeGroupIT {

  private static final int SMALL = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PROGRAM =
      """
      program: large
      sources: { orders: { topic: large.in } }
      operators:
        - aggregate: totals
          by: [customer]
          window: { tumbling: 1s }
          compute: { n: count }
      results: { topic: large.out }
      """;

  @TempDir Path folder;

  @Test
  void aDocumentWithALargeGroupValueIsOneDeadLetterAndTheOthersGoOn() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      long old = (System.currentTimeMillis() / 1000 - 3600) * 1000;
      send(program, old, "x".repeat(850_000));
      send(program, old, "y".repeat(200_000));
      for (int i = 0; i < SMALL; i++) {
        send(program, old, "ann");
      }
      send(program, old + 60_000, "closes the others' windows");
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      try (Worker _ = Worker.start(new WorkerConfig(properties(kafka)))) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (records.size() < 3) {
          assertThat(System.nanoTime()).as("%d outputs", records.size()).isLessThan(deadline);
          outputs.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        outputs.poll(Duration.ofSeconds(2)).forEach(records::add); // more would be too many
      }

      assertThat(records)
          .filteredOn(record -> record.topic().equals("large.out"))
          .extracting(record -> record.key().substring(0, 3), record -> count(record.value()))
          .containsExactlyInAnyOrder(tuple("yyy", 1), tuple("ann", SMALL));
      assertThat(records)
          .filteredOn(record -> record.topic().equals("large.dlq"))
          .singleElement()
          .satisfies(letter ->
              assertThat(header(letter, Headers.EXCEPTION_MESSAGE))
                  .contains("'totals'", "[customer]", "850", "abacus.document.max.bytes"));
    }
  }

  private static void send(RunningProgram program, long timestamp, String customer) {
    program.send(0, timestamp, "key", "{\"customer\":\"" + customer + "\"}");
  }

  private static int count(String json) {
    return Integer.parseInt(json.replaceAll(".*\"n\":(\\d+).*", "$1"));
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private Map<String, String> properties(LocalKafka kafka) {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "state.dir",
        folder.resolve("state").toString(),
        "abacus.model.endpoint",
        "http://localhost:1/v1",
        "auto.offset.reset",
        "earliest");
  }
}
