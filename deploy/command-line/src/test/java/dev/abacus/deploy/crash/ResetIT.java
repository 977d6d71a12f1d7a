package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reset} and {@code remove --purge} with a worker that keeps its state directory. */
class ResetIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int DOCUMENTS = 5;
  private static final int LIMIT = 3;

  private static final String PROGRAM =
      """
      program: again
      sources: { messages: { topic: user-in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - limit: 3
          id: few
      results: { topic: user-out }
      models: [gpt-4o-mini]
      """;

  /** What a command printed, and how it ended. */
  @TempDir private Path folder;

  @Test
  void aProgramStartsAnewAndIsRemovedWithAllThatBelongsToIt() throws Exception {
    Path file = Files.writeString(folder.resolve("again.yaml"), PROGRAM);
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> results = program.outputs()) {
      for (int i = 0; i < DOCUMENTS; i++) {
        program.send(0, null, "k" + i, "{\"text\":\"t" + i + "\"}");
      }
      try (Worker _ = worker(kafka, models)) {
        awaitResults(results, LIMIT);
        Run refused = run(kafka, "reset", file.toString(), "--yes");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("workers run 'again'", "abacus-again");
      }
      Run dry = run(kafka, "reset", "again", "--dry-run");
      assertThat(dry.out())
          .contains("user-in-0 from offset 0", "5 documents", "empty again.receipts")
          .contains("-changelog");
      assertThat(dry.exit()).isZero();
      Run later =
          run(kafka, "reset", "again", "--dry-run", "--to-datetime", "2999-01-01T00:00:00Z");
      assertThat(later.out()).contains("user-in-0 from offset 5", "0 documents");
      assertThat(run(kafka, "reset", "again").exit()).as("without --yes").isEqualTo(2);
      forgetOffsets(kafka);
      try (Worker _ = worker(kafka, models)) {
        awaitState(kafka, "WAITING", "group abacus-again", "abacus reset again");
        assertThat(results.poll(Duration.ofSeconds(1))).isEmpty();
      }
      assertThat(run(kafka, "reset", "again", "--dry-run").out()).contains("5 documents");
      assertThat(run(kafka, "reset", "again", "--yes").exit()).isZero();
      try (Worker _ = worker(kafka, models)) {
        // The limit has counted to its end before; its local state is still on this disk.
        awaitResults(results, LIMIT);
      }
      assertThat(RunningProgram.statistics(models).path("calls").asInt())
          .as("receipts are gone too")
          .isEqualTo(2 * DOCUMENTS);

      assertThat(run(kafka, "remove", "again", "--purge", "--dry-run").out())
          .contains("topic again.receipts", "group abacus-again")
          .doesNotContain("topic user-");
      assertThat(run(kafka, "remove", "again", "--purge", "--yes").exit()).isZero();
      assertThat(names(kafka))
          .contains("user-in", "user-out", "abacus.control")
          .noneMatch(name -> name.contains("again"));
      assertThat(run(kafka, "status").out()).contains("no program is applied");
    }
  }

  /** As Kafka does after {@code offsets.retention.minutes}. */
  private static void forgetOffsets(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteConsumerGroups(List.of("abacus-again")).all().get();
    }
  }

  private static void awaitState(LocalKafka kafka, String... parts) throws InterruptedException {
    KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String state = "";
    while (!Stream.of(parts).allMatch(state::contains) && System.nanoTime() < deadline) {
      Thread.sleep(200);
      state = TopicReader.status(connection).instances("again").getLast().state();
    }
    assertThat(state).contains(parts);
  }

  /** Names of all topics and groups. */
  private static List<String> names(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return Stream.concat(
              admin.listTopics().names().get().stream(),
              admin.listGroups().all().get().stream().map(GroupListing::groupId))
          .toList();
    }
  }

  private static Run run(LocalKafka kafka, String... words) {
    return Run.on(kafka.bootstrapServers(), words);
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models) throws InterruptedException {
    return RunningProgram.worker(kafka, models, folder.resolve("state"), Map.of());
  }

  private static void awaitResults(KafkaConsumer<String, String> results, int wanted) {
    int seen = 0;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (seen < wanted && System.nanoTime() < deadline) {
      seen += results.poll(Duration.ofMillis(100)).count();
    }
    assertThat(seen).as("results").isEqualTo(wanted);
  }
}
