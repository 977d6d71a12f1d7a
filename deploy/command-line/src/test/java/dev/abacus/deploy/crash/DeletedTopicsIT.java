package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.Worker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics are deleted while a program runs: its status names them, and no document is lost. */
class DeletedTopicsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Set<String> DELETED = Set.of("gone.out", "gone.dlq", "gone.receipts");

  private static final String PROGRAM =
      """
      program: gone
      sources: { messages: { topic: gone.in, format: json, key: id } }
      results: { topic: gone.out }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - project: [topic]
      """;

  @TempDir Path folder;

  private int sent;

  @Test
  void theStatusNamesThemAndDocumentsWait() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> before = program.outputs();
        Worker worker = worker(kafka, endpoint)) {
      send(program, 20);
      RunningProgram.byKey(before, 20);

      admin.deleteTopics(DELETED).all().get();
      send(program, 20);
      awaitState(
          kafka,
          state ->
              assertThat(state).contains(DELETED).startsWith("WAITING").contains("topics create"));
      assertThat(worker.threads()).anyMatch(thread -> !thread.works());

      Program known = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
      // With fewer receipts than partitions, as of a broker that creates topics by itself.
      TopicSetup.ensure(
          admin, TopicSpec.ofDocuments(KafkaNames.UNPREFIXED, known, 2, 1), (short) 1);
      awaitState(kafka, state -> assertThat(state).isEqualTo("RUNNING"));
      send(program, 20);
      try (KafkaConsumer<String, String> after = program.outputs()) {
        assertThat(RunningProgram.byKey(after, 40).values())
            .allMatch(result -> result.topic().equals("gone.out"))
            .extracting(result -> result.key())
            .doesNotContain("m0", "m19");
      }
      assertThat(worker.threads()).allMatch(thread -> thread.works());

      admin.deleteTopics(List.of("gone.in")).all().get();
      awaitState(kafka, state -> assertThat(state).startsWith("WAITING").contains("gone.in"));
      admin.createTopics(List.of(new NewTopic("gone.in", 2, (short) 1))).all().get();
      sent = 100;
      send(program, 20);
      try (KafkaConsumer<String, String> after = program.outputs()) {
        assertThat(RunningProgram.byKey(after, 60)).containsKeys("m100", "m119");
      }
      awaitState(kafka, state -> assertThat(state).isEqualTo("RUNNING"));
    }
  }

  /** The state of sample tasks has more partitions than the optimizer gives a new topic. */
  @Test
  void samplesThatAreCreatedAnewGetAsManyPartitionsAsTheirState() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(samples(4))).all().get();
      try (RunningProgram program = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
          KafkaConsumer<String, String> outputs = program.outputs();
          Worker _ = worker(kafka, endpoint)) {
        send(program, 20);
        RunningProgram.byKey(outputs, 20);
        awaitState(kafka, state -> assertThat(state).isEqualTo("RUNNING"));

        admin.deleteTopics(List.of("gone.samples")).all().get();
        awaitState(kafka, state -> assertThat(state).contains("gone.samples", "topics create"));
        admin.createTopics(List.of(samples(2))).all().get();
        awaitState(kafka, state -> assertThat(state).isEqualTo("RUNNING"));
        assertThat(TopicSetup.partitions(admin, "gone.samples")).isEqualTo(4);
      }
    }
  }

  private static NewTopic samples(int partitions) {
    return new NewTopic("gone.samples", partitions, (short) 1);
  }

  /**
   * A broker created the topics by itself. Then the control topic is lost: a worker goes on with
   * what it knows, and does not take a new topic for the former one. With several partitions, whose
   * records it would not hear, no worker starts.
   */
  @Test
  void topicsThatForgetAndTheLossOfTheControlTopicAreTold() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("abacus.control", 1, (short) 1),
                  new NewTopic("gone.dlq", 2, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
      try (RunningProgram program = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
          Worker _ = worker(kafka, endpoint);
          KafkaConsumer<String, String> outputs = program.outputs()) {
        send(program, 20);
        RunningProgram.byKey(outputs, 20);
        String changelog =
            TopicSetup.internalTopics(admin, KafkaNames.UNPREFIXED, List.of("abacus-gone")).stream()
                .filter(topic -> topic.endsWith("-changelog"))
                .findFirst()
                .orElseThrow();
        set(admin, changelog, "cleanup.policy", "delete");
        awaitState(
            kafka,
            state ->
                assertThat(state)
                    .startsWith("DEGRADED")
                    .contains(
                        "cleanup.policy of %s is delete instead of compact".formatted(changelog),
                        "cleanup.policy of abacus.control is delete instead of compact",
                        "message.timestamp.type of abacus.control is CreateTime",
                        "cleanup.policy of gone.dlq is compact instead of delete"));
        set(admin, "abacus.control", "cleanup.policy", "compact");
        whatOneProgramLacksIsOfThatProgram(kafka, admin);
        set(admin, "abacus.control", "message.timestamp.type", "LogAppendTime");
        set(admin, "gone.dlq", "cleanup.policy", "delete");
        set(admin, changelog, "cleanup.policy", "compact");

        RoleAccess access =
            RoleAccess.of(Role.OPTIMIZER, Map.of("bootstrap.servers", kafka.bootstrapServers()));
        Supervisor supervisor = supervisor();
        access.watch(admin, supervisor);
        admin.deleteTopics(List.of("abacus.control")).all().get();
        send(program, 20);
        RunningProgram.byKey(outputs, 20);
        awaitState(
            kafka,
            state ->
                assertThat(state)
                    .startsWith("DEGRADED")
                    .contains("deleted topics", "abacus.control")
                    .doesNotContain("cleanup.policy"));
        TopicSetup.ensure(admin, TopicSpec.shared(KafkaNames.UNPREFIXED), (short) 1);
        assertThatThrownBy(() -> access.watch(admin, supervisor))
            .hasMessageContaining("abacus.control");
      }
      try (Worker _ = worker(kafka, endpoint);
          RunningProgram applied = RunningProgram.open(kafka, PROGRAM, 2, Map.of())) {
        send(applied, 5);
        try (KafkaConsumer<String, String> outputs = applied.outputs()) {
          RunningProgram.byKey(outputs, 45);
        }
      }

      admin.createPartitions(Map.of("abacus.control", NewPartitions.increaseTo(2))).all().get();
      assertThatThrownBy(() -> worker(kafka, endpoint)).hasMessageContaining("abacus.control=2");
    }
  }

  /** Of two programs and a shared topic, one program and the topic have wrong settings. */
  private static void whatOneProgramLacksIsOfThatProgram(LocalKafka kafka, Admin admin)
      throws Exception {
    ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());
    Supervisor supervisor = supervisor();
    RoleAccess access =
        RoleAccess.of(Role.OPTIMIZER, Map.of("bootstrap.servers", kafka.bootstrapServers()));
    access.remember(List.of(parser.parse(PROGRAM), parser.parse(PROGRAM.replace("gone", "other"))));
    assertThatThrownBy(() -> access.watch(admin, supervisor))
        .hasMessageContaining("abacus.control")
        .message()
        .doesNotContain("gone.dlq");
    assertThat(supervisor.of("other").troubled()).isEmpty();
    assertThat(supervisor.of("gone").troubled())
        .singleElement()
        .satisfies(thread -> {
          assertThat(thread.thread()).isEqualTo("access of gone");
          assertThat(thread.cause()).contains("gone.dlq").doesNotContain("abacus.control");
        });

    access.forget("gone");
    assertThatThrownBy(() -> access.watch(admin, supervisor)).hasMessageContaining("abacus");
    assertThat(supervisor.threads()).isEmpty();
  }

  private static Supervisor supervisor() {
    return new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC());
  }

  private static void set(Admin admin, String topic, String setting, String value)
      throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(
                    new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private void send(RunningProgram program, int documents) {
    for (int i = 0; i < documents; i++, sent++) {
      program.send(
          sent % 2, null, "m" + sent, "{\"id\":\"m%1$d\",\"text\":\"t %1$d\"}".formatted(sent));
    }
  }

  private static void awaitState(LocalKafka kafka, ThrowingConsumer<String> expected)
      throws Exception {
    KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<InstanceStatus> instances = TopicReader.status(connection).instances("gone");
      try {
        assertThat(instances).hasSize(1);
        assertThat(instances.getFirst().state()).satisfies(expected);
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(500);
      }
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint) throws InterruptedException {
    return RunningProgram.worker(
        kafka, endpoint, folder.resolve("state"), Map.of("abacus.status.interval.ms", "500"));
  }
}
