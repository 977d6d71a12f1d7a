package dev.abacus.deploy.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reset} and {@code remove --purge} with a worker that keeps its state directory. */
class ResetIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final TopicPartition SOURCE = new TopicPartition("user-in", 0);
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

  /** Its first operator keeps no pending documents. */
  private static final String STATEFUL =
      """
      program: first
      sources: { messages: { topic: user-in } }
      operators:
        - limit: 3
          id: few
      results: { topic: user-first }
      """;

  @TempDir private Path folder;

  @Test
  void aProgramStartsAnewAndIsRemovedWithAllThatBelongsToIt() throws Exception {
    Path file = Files.writeString(folder.resolve("again.yaml"), PROGRAM);
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        RunningProgram stateful = RunningProgram.open(kafka, STATEFUL, 1, Map.of());
        KafkaConsumer<String, String> limited = stateful.outputs();
        KafkaConsumer<String, String> results = program.outputs()) {
      for (int i = 0; i < DOCUMENTS; i++) {
        program.send(0, null, "k" + i, "{\"text\":\"t" + i + "\"}");
      }
      sendSample(kafka, "first");
      try (Worker _ = worker(kafka, models)) {
        awaitResults(results, LIMIT);
        awaitResults(limited, LIMIT);
        awaitObservation(kafka, "first");
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
      forgetSource(kafka);
      try (Worker _ = worker(kafka, models)) {
        awaitOffset(kafka, DOCUMENTS);
      }
      forgetOffsets(kafka);
      try (Worker _ = worker(kafka, models)) {
        awaitState(kafka, "again", "WAITING", "group abacus-again", "abacus reset again");
        awaitState(kafka, "first", "WAITING", "group abacus-first", "abacus reset first");
        assertThat(results.poll(Duration.ofSeconds(1)).records("user-out")).isEmpty();
        assertThat(limited.poll(Duration.ofSeconds(1)).isEmpty()).isTrue();
        stateful.remove();
        sendSample(kafka, "second");
        awaitObservation(kafka, "second");
      }
      assertThat(observations(kafka, "first")).as("samples are not read again").isEqualTo(1);
      assertThat(run(kafka, "reset", "again", "--dry-run").out()).contains("5 documents");
      interruptReset(kafka);
      assertThat(run(kafka, "reset", "again", "--yes").exit()).isZero();
      assertThat(policies(kafka)).isNotEmpty().allMatch("compact"::equals);
      try (Worker _ = worker(kafka, models)) {
        // The limit has counted to its end before; its local state is still on this disk.
        awaitResults(results, LIMIT);
      }
      assertThat(RunningProgram.statistics(models).path("calls").asInt())
          .as("receipts are gone too")
          .isEqualTo(2 * DOCUMENTS + 2);

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

  /** As if the group had read watermarks between its stages, but no document yet. */
  private static void forgetSource(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteConsumerGroupOffsets("abacus-first", Set.of(SOURCE)).all().get();
    }
  }

  private static void awaitOffset(LocalKafka kafka, long offset) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    OffsetAndMetadata read = null;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      while (read == null && System.nanoTime() < deadline) {
        Thread.sleep(200);
        read =
            admin
                .listConsumerGroupOffsets("abacus-first")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(SOURCE);
      }
    }
    assertThat(read).as("offset of the source").isNotNull();
    assertThat(read.offset()).isEqualTo(offset);
  }

  /** As Kafka does after {@code offsets.retention.minutes}. */
  private static void forgetOffsets(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .deleteConsumerGroups(List.of("abacus-again", "abacus-again-samples", "abacus-first"))
          .all()
          .get();
    }
  }

  /** As a reset leaves it that is killed before its end. */
  private static void interruptReset(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
      ConfigEntry policy = new ConfigEntry("cleanup.policy", "compact,delete");
      changelogs(admin)
          .forEach(topic ->
              changes.put(topic, List.of(new AlterConfigOp(policy, AlterConfigOp.OpType.SET))));
      admin.incrementalAlterConfigs(changes).all().get();
    }
  }

  private static List<ConfigResource> changelogs(Admin admin) throws Exception {
    return admin.listTopics().names().get().stream()
        .filter(name -> name.startsWith("abacus-again-") && name.endsWith("-changelog"))
        .filter(name -> !name.startsWith("abacus-again-samples-"))
        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
        .toList();
  }

  private static List<String> policies(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin.describeConfigs(changelogs(admin)).all().get().values().stream()
          .map(topic -> topic.get("cleanup.policy").value())
          .toList();
    }
  }

  private static void sendSample(LocalKafka kafka, String id) throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    SampleTask task =
        SampleTask.builder(id, "again")
            .operator(program.operators().getFirst())
            .physical(new ModelSelection("gpt-4o-mini"))
            .exampleId("e")
            .input(Document.parse("{\"text\": \"%s\"}".formatted(id)))
            .label(TextNode.valueOf("any"))
            .metrics(Map.of())
            .judge("gpt-4o-mini")
            .build();
    try (Producer<byte[], byte[]> producer =
        KafkaConnection.to(kafka.bootstrapServers()).producer(Map.of())) {
      producer.send(new ProducerRecord<>("again.samples", Json.write(task))).get();
    }
  }

  private static void awaitObservation(LocalKafka kafka, String id) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (observations(kafka, id) == 0 && System.nanoTime() < deadline) {
      Thread.sleep(200);
    }
    assertThat(observations(kafka, id)).isEqualTo(1);
  }

  private static int observations(LocalKafka kafka, String id) {
    AtomicInteger number = new AtomicInteger();
    try (Consumer<byte[], byte[]> consumer =
        KafkaConnection.to(kafka.bootstrapServers()).consumer(Map.of())) {
      TopicRange.all(consumer, "again.observations")
          .read(
              consumer,
              PATIENCE,
              record -> {
                if (new String(record.value(), UTF_8).contains("\"" + id + "\"")) {
                  number.incrementAndGet();
                }
              });
    }
    return number.get();
  }

  private static void awaitState(LocalKafka kafka, String program, String... parts)
      throws InterruptedException {
    KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> states = List.of();
    while (states.stream().noneMatch(state -> Stream.of(parts).allMatch(state::contains))
        && System.nanoTime() < deadline) {
      Thread.sleep(200);
      // The worker before has a state, too.
      states =
          TopicReader.status(connection).instances(program).stream()
              .map(InstanceStatus::state)
              .toList();
    }
    assertThat(states).anySatisfy(state -> assertThat(state).contains(parts));
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
      for (ConsumerRecord<String, String> _ : results.poll(Duration.ofMillis(100))) {
        seen++;
      }
    }
    assertThat(seen).as("results").isEqualTo(wanted);
  }
}
