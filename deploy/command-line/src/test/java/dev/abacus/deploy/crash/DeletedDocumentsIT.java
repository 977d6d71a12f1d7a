package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that Kafka deletes before they are read have a dead letter that names them. */
class DeletedDocumentsIT {

  private static final TopicPartition SOURCE = new TopicPartition("kept.in", 0);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern LETTER =
      Pattern.compile("deleted up to (\\d+) documents of kept.in-0 \\(offsets (\\d+) to (\\d+)\\)");

  private static final String PROGRAM =
      """
      program: kept
      sources: { messages: { topic: kept.in, format: json, key: id } }
      results: { topic: kept.out }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - project: [topic]
      """;

  @TempDir Path folder;

  /** Offsets of documents with a result, and of those that a dead letter names. */
  private final Set<Long> finished = new TreeSet<>();

  private final Set<Long> deleted = new TreeSet<>();

  private int sent;

  @Test
  void eachDocumentHasAResultOrIsNamed() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(50)));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> outputs = program.outputs()) {
      try (Worker _ = worker(kafka, endpoint)) {
        send(program, 20, 10);
        await(outputs, 20);
      }
      send(program, 60, 10);
      delete(admin, 50);
      try (Worker _ = worker(kafka, endpoint)) {
        await(outputs, 80);
        assertThat(deleted).as("while no worker ran").hasSize(30);

        // Larger than what the worker fetches at once.
        send(program, 200, 200_000);
        await(outputs, 90);
        delete(admin, 270);
        await(outputs, sent);
        assertThat(deleted).as("while it was busy").hasSizeGreaterThan(30).hasSizeLessThan(220);
      }
    }
  }

  private void send(RunningProgram program, int documents, int characters) throws Exception {
    for (int i = 0; i < documents; i++) {
      String text = "x".repeat(characters);
      program.sendRaw(
          Map.of(
              "m" + sent,
              "{\"id\":\"m%d\",\"text\":\"t %d\",\"rest\":\"%s\"}"
                  .formatted(sent, sent, text)
                  .getBytes(StandardCharsets.UTF_8)));
      sent++;
    }
  }

  /** As retention does. */
  private static void delete(Admin admin, long before) throws Exception {
    admin.deleteRecords(Map.of(SOURCE, RecordsToDelete.beforeOffset(before))).all().get();
  }

  private void await(KafkaConsumer<String, String> outputs, int documents) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (finished.size() + deleted.size() < documents) {
      assertThat(System.nanoTime())
          .as("of %d: finished %s, deleted %s", documents, finished, deleted)
          .isLessThan(deadline);
      outputs.poll(Duration.ofMillis(100)).forEach(this::take);
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    if (record.topic().equals("kept.out")) {
      String source = header(record, "abacus-source");
      assertThat(finished.add(Long.parseLong(source.substring(source.indexOf('@') + 1)))).isTrue();
    } else {
      assertThat(header(record, "__streams.errors.exception")).isEqualTo("DeletedDocuments");
      Matcher range = LETTER.matcher(header(record, "__streams.errors.message"));
      assertThat(range.find()).as("%s", record).isTrue();
      int before = deleted.size();
      for (long i = Long.parseLong(range.group(2)); i <= Long.parseLong(range.group(3)); i++) {
        deleted.add(i);
      }
      assertThat(deleted).hasSize(before + Integer.parseInt(range.group(1)));
      assertThat(deleted).doesNotContainAnyElementsOf(finished);
    }
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint) throws InterruptedException {
    return RunningProgram.worker(
        kafka,
        endpoint,
        folder.resolve("state"),
        Map.of(
            "abacus.in.flight", "2",
            "max.partition.fetch.bytes", "1000000",
            "abacus.status.interval.ms", "500"));
  }
}
