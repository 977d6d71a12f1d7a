package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operating against a real broker. */
class OperateIT {

  private static LocalKafka kafka;
  private static KafkaConnection connection;
  private static Program program;

  @BeforeAll
  static void start() throws Exception {
    kafka = LocalKafka.start();
    connection = KafkaConnection.to(kafka.bootstrapServers());
    program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(Files.readString(Path.of("../examples/support-triage/program.yaml")));
    TopicCreation creation = new TopicCreation(2, 1);
    assertThat(creation.createShared(connection))
        .containsExactlyInAnyOrder(
            KafkaNames.UNPREFIXED.control(),
            KafkaNames.UNPREFIXED.rejections(),
            KafkaNames.UNPREFIXED.status(),
            KafkaNames.UNPREFIXED.learnt(),
            KafkaNames.UNPREFIXED.spending(),
            KafkaNames.UNPREFIXED.versions());
    assertThat(creation.create(connection, program))
        .contains("support.messages", "support.triaged", "support-triage.dlq");
    assertThat(creation.create(connection, program)).isEmpty();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void desiredStateIsWrittenReadAndRemoved() {
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    Objective objective = ObjectiveParser.parse("minimize cost subject to quality >= 0.8");
    control.write(
        List.of(
            new ControlRecord.ProgramSet(program),
            new ControlRecord.ObjectiveSet(program.name(), objective),
            new ControlRecord.Paused(program.name(), true)));

    ControlState state = control.read();
    assertThat(state.programs()).containsExactly("support-triage");
    assertThat(state.objective(state.require("support-triage"))).isEqualTo(objective);
    assertThat(state.paused("support-triage")).isTrue();

    control.remove(
        List.of(
            new ControlKey.ObjectiveKey(program.name()), new ControlKey.PausedKey(program.name())));

    state = control.read();
    assertThat(state.objective(program)).isEqualTo(program.objective());
    assertThat(state.paused("support-triage")).isFalse();
  }

  @Test
  void aChangedSpendingCapLeavesTheSearchBudgetToTheProgram() {
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    control.write(List.of(new ControlRecord.ProgramSet(program)));
    ControlKey key = new ControlKey.BudgetKey(program.name());
    Spending cap = new Spending(40.0, null, Duration.ofDays(1));

    assertThat(budget("--spending", "40").out()).contains("$40.0000 per");
    assertThat(control.read().records())
        .containsEntry(key, new ControlRecord.BudgetSet(program.name(), null, cap));

    assertThat(budget("--samples", "7").out()).contains("search 7 samples", "$40.0000 per");
    assertThat(control.read().records())
        .containsEntry(
            key, new ControlRecord.BudgetSet(program.name(), new SampleBudget.Invocations(7), cap));

    assertThat(budget("--clear").out()).contains("no cap");
    assertThat(control.read().records()).doesNotContainKey(key);
  }

  private static Run budget(String... options) {
    List<String> words = new ArrayList<>(List.of("budget", program.name()));
    words.addAll(List.of(options));
    Run run = Run.on(kafka.bootstrapServers(), words.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return run;
  }

  @Test
  void theRemedyForAMissingTopicIsACompleteCommand() {
    assertThatThrownBy(
            () -> connection.requireTopics(List.of("no.such.topic"), Path.of("my/program.yaml")))
        .isInstanceOfSatisfying(
            OperationFailedException.class,
            e ->
                assertThat(e.remedy())
                    .contains(
                        "`abacus topics create my/program.yaml --bootstrap-server %s`"
                            .formatted(kafka.bootstrapServers())));
  }

  @Test
  void onlyWorkersCreateTheTopicOfStoredAnswers() {
    assertThatThrownBy(() -> TopicWriter.clearAnswers(connection, null))
        .isInstanceOfSatisfying(
            OperationFailedException.class,
            e -> assertThat(e.remedy()).contains("abacus.answers.max.age.ms"));
  }

  @Test
  void theRemedyForARecordThatIsTooLargeIsALimitOfTheTopic() {
    // The producer has a limit of 16 MiB.
    assertThatThrownBy(() -> TopicWriter.givePriors(connection, "p", "{}".repeat(9 << 20)))
        .isInstanceOfSatisfying(
            OperationFailedException.class,
            e -> assertThat(e.remedy()).contains("max.message.bytes of abacus.learnt"));
  }

  @Test
  void aRecordThatIsNotConfirmedInTimeIsNotSaidToBeUndone() {
    KafkaConnection hasty =
        new KafkaConnection(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.block.ms", "1"));
    ControlTopic control = new ControlTopic(hasty, ModelCatalogue.builtIn());
    assertThatThrownBy(() -> control.write(new ControlRecord.Reoptimize("other", "hasty")))
        .isInstanceOfSatisfying(
            OperationFailedException.class,
            e -> assertThat(e.remedy()).contains("enough brokers of abacus.control"))
        .hasMessageStartingWith("nothing was changed, as far as is known: Kafka did not confirm");
  }

  @Test
  void aReplayThatIsStoppedLeavesNoTransactionThatReadersOfTheSourceWaitFor(@TempDir Path folder)
      throws Exception {
    String text =
        Files.readString(Path.of("../examples/support-triage/program.yaml"))
            .replace("support", "stopped");
    Path file = Files.writeString(folder.resolve("stopped.yaml"), text);
    Program stopped = new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    new TopicCreation(1, 1).create(connection, stopped);
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    control.write(new ControlRecord.ProgramSet(stopped));
    String source = stopped.sources().getFirst().topic();
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of());
        Admin admin = connection.admin()) {
      for (int i = 0; i < 3000; i++) {
        producer.send(
            new ProducerRecord<>(connection.names().deadLetters(stopped.name()), new byte[1000]));
      }
      producer.flush();
      ClientQuotaAlteration.Op slow = new ClientQuotaAlteration.Op("producer_byte_rate", 100_000.0);
      ClientQuotaEntity replay = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "slow"));
      admin
          .alterClientQuotas(List.of(new ClientQuotaAlteration(replay, List.of(slow))))
          .all()
          .get();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Abacus.class.getName(),
                  "dlq",
                  "replay",
                  file.toString(),
                  "--bootstrap-server=" + kafka.bootstrapServers(),
                  "-Xclient.id=slow")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out").toFile())
              .start();
      try {
        await(() -> open(admin, source) > 0, () -> Files.readString(folder.resolve("out")));
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      await(() -> open(admin, source) == 0, () -> Files.readString(folder.resolve("out")));
    }
    assertThat(new DeadLetters(connection, stopped).replay().replayable()).isEqualTo(3000);
    control.remove(List.of(new ControlKey.ProgramKey(stopped.name())));
  }

  /** Number of records that wait for the end of a transaction. */
  private static long open(Admin admin, String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    Map<TopicPartition, OffsetSpec> latest = Map.of(partition, OffsetSpec.latest());
    return admin.listOffsets(latest).partitionResult(partition).get().offset()
        - admin
            .listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
            .partitionResult(partition)
            .get()
            .offset();
  }

  private static void await(Callable<Boolean> condition, Callable<String> description)
      throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(description.call()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  /** The reports of workers are older than the outage. */
  @Test
  void aJobSaysThatKafkaIsAway() throws Exception {
    LocalKafka own = LocalKafka.start();
    KafkaConnection to = KafkaConnection.to(own.bootstrapServers());
    TopicCreation creation = new TopicCreation(1, 1);
    creation.createShared(to);
    creation.create(to, program);
    try (Job job = Job.open(to, program)) {
      assertThat(job.waitingFor()).contains("no worker reports");
      own.close();
      assertThat(job.waitingFor()).contains("Kafka at", "cannot be used");
    }
  }

  @Test
  void aProgramIsWrittenOnlyIfItChanges() {
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    control.write(new ControlRecord.ProgramSet(program));
    Program changed =
        program.withObjective(ObjectiveParser.parse("minimize cost subject to quality >= 0.7"));

    assertThat(control.apply(control.read(), program)).isFalse();
    assertThat(control.apply(control.read(), changed)).isTrue();
    assertThat(control.apply(control.read(), changed)).isFalse();
  }

  @Test
  void aRecordThatIsNotValidLeavesWhatWasInForce() throws Exception {
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    control.write(new ControlRecord.Reoptimize("other", "first"));
    send(KafkaNames.UNPREFIXED.control(), "reoptimize/other", "[1]", Map.of());
    send(KafkaNames.UNPREFIXED.control(), "nonsense", "{}", Map.of());

    assertThat(control.read().records())
        .containsEntry(
            new ControlKey.ReoptimizeKey("other"), new ControlRecord.Reoptimize("other", "first"));
  }

  @Test
  void rollbackReturnsToThePlanThatWasActiveBefore() {
    ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
    for (long epoch = 1; epoch <= 4; epoch++) {
      control.write(
          new ControlRecord.PlanPublished(
              new PhysicalPlan(
                  "rolled",
                  epoch,
                  new PlanChoice(List.of(), new Estimate(1, 0, 0)),
                  Objective.MAXIMIZE_QUALITY,
                  List.of())));
    }
    assertThat(control.read().epochBefore("rolled")).isNull();

    activate(control, 1, 1, null);
    activate(control, 2, 1, null);
    activate(control, 4, 1, null);
    activate(control, 3, 1, null);
    assertThat(control.read().epochBefore("rolled")).isEqualTo(4);
    activate(control, 4, 1, null);
    assertThat(control.read().epochBefore("rolled")).as("after the rollback").isEqualTo(2);
    activate(control, 3, 0.1, 4L);
    assertThat(control.read().epochBefore("rolled")).as("during a canary").isEqualTo(4);
  }

  private static void activate(
      ControlTopic control, long epoch, double share, @Nullable Long beside) {
    control.write(new ControlRecord.Activated("rolled", epoch, share, "test", "user", beside));
  }

  @Test
  void aMissingTopicIsToldWithWhatToDo() {
    assertThatThrownBy(() -> connection.requireTopics(Set.of("nowhere")))
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("no topic nowhere");
  }

  @Test
  void deadLettersAreListedAndReplayedExactlyOnce() throws Exception {
    DeadLetters letters = new DeadLetters(connection, program);
    for (String key : List.of("a", "b")) {
      send(
          KafkaNames.UNPREFIXED.deadLetters(program.name()),
          key,
          "{\"id\": \"%s\"}".formatted(key),
          Map.of(
              Headers.OPERATOR,
              "classify",
              Headers.EXCEPTION_MESSAGE,
              "no valid answer",
              "traceparent",
              "00-1"));
    }
    assertThat(letters.list())
        .hasSize(2)
        .allSatisfy(letter -> {
          assertThat(letter.operator()).isEqualTo("classify");
          assertThat(letter.reason()).isEqualTo("no valid answer");
          assertThat(letter.replayed()).isFalse();
        });

    send(
        KafkaNames.UNPREFIXED.deadLetters(program.name()),
        "g",
        "{}",
        Map.of(Headers.EXCEPTION_TOPIC, ""));

    assertThat(letters.replay()).isEqualTo(new DeadLetterReplay.Letters(2, 1));
    assertThat(letters.replay()).isEqualTo(new DeadLetterReplay.Letters(0, 0));
    assertThat(letters.list())
        .allSatisfy(letter -> assertThat(letter.replayed()).isEqualTo(!letter.key().equals("g")));
    assertThat(letters.replay(Set.of("b"))).isEqualTo(new DeadLetterReplay.Letters(1, 0));

    List<ConsumerRecord<byte[], byte[]>> sent = new ArrayList<>();
    TopicReader.read(connection, "support.messages", sent::add);
    assertThat(sent)
        .extracting(record -> new String(record.key(), StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder("a", "b", "b");
    assertThat(sent)
        .allSatisfy(record -> {
          assertThat(record.headers().lastHeader("traceparent")).isNotNull();
          assertThat(record.headers().lastHeader(Headers.OPERATOR)).isNull();
        });
  }

  private static void send(String topic, String key, String value, Map<String, String> headers)
      throws Exception {
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              topic, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
      headers.forEach(
          (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
      producer.send(record).get();
    }
  }
}
