package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.topology.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two installations with different prefixes and a program of the same name on one broker. */
class PrefixIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int DOCUMENTS = 20;

  @TempDir private Path folder;

  @Test
  void installationsWithDifferentPrefixesDoNotMeet() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram a = open(kafka, "team-a.");
        RunningProgram b = open(kafka, "team-b.");
        Worker _ = worker(kafka, models, "team-a.");
        OptimizerService optimizerOfA = optimizer(kafka, "team-a.");
        Worker _ = worker(kafka, models, "team-b.");
        OptimizerService optimizerOfB = optimizer(kafka, "team-b.")) {
      for (int i = 0; i < DOCUMENTS; i++) {
        a.send(0, null, "a-" + i, "{\"text\":\"a" + i + "\"}");
        b.send(0, null, "b-" + i, "{\"text\":\"b" + i + "\"}");
      }
      assertThat(keysOfResults(a)).hasSize(DOCUMENTS).allMatch(key -> key.startsWith("a-"));
      assertThat(keysOfResults(b)).hasSize(DOCUMENTS).allMatch(key -> key.startsWith("b-"));
      assertThat(optimizerOfA.awaitReady(PATIENCE)).isTrue();
      assertThat(optimizerOfB.awaitReady(PATIENCE)).isTrue();
      assertThat(RunningProgram.statistics(models).path("calls").asLong())
          .as("calls")
          .isEqualTo(2 * DOCUMENTS);
      assertAllNamesHaveAPrefix(kafka);
    }
  }

  /** Topics, groups and transactional ids, without those of Kafka and of users. */
  private static void assertAllNamesHaveAPrefix(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Stream<String> names =
          Stream.of(
                  admin.listTopics().names().get().stream(),
                  admin.listGroups().all().get().stream().map(GroupListing::groupId),
                  admin.listTransactions().all().get().stream()
                      .map(TransactionListing::transactionalId))
              .flatMap(each -> each);
      assertThat(names)
          .contains("team-a.abacus-shared", "team-b.abacus-optimizer", "team-a.shared.dlq")
          .allMatch(name ->
              name.startsWith("team-a.") || name.startsWith("team-b.") || name.startsWith("user-"));
    }
  }

  private static RunningProgram open(LocalKafka kafka, String prefix) throws Exception {
    String program =
        """
        program: shared
        sources: { messages: { topic: user-in-of-%s } }
        operators:
          - map: topic
            instruction: What is the message about?
            reads: [text]
            writes: { topic: { type: string } }
        results: { topic: user-out-of-%s }
        models: [gpt-4o-mini]
        """
            .formatted(prefix, prefix);
    return RunningProgram.open(kafka, new KafkaNames(prefix), program, 1, Map.of());
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models, String prefix)
      throws InterruptedException {
    return RunningProgram.worker(
        kafka, models, folder.resolve(prefix + "state"), Map.of(KafkaNames.SETTING, prefix));
  }

  private static OptimizerService optimizer(LocalKafka kafka, String prefix) {
    return OptimizerService.start(
        new OptimizerConfig(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                KafkaNames.SETTING,
                prefix,
                OptimizerConfig.STREAM_EXAMPLES,
                0)));
  }

  private static List<String> keysOfResults(RunningProgram program) {
    Set<String> keys = new HashSet<>();
    try (KafkaConsumer<String, String> consumer = program.outputs()) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (keys.size() < DOCUMENTS && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          keys.add(record.key());
        }
      }
    }
    return List.copyOf(keys);
  }
}
