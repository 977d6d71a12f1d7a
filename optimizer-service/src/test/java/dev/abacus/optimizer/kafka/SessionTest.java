package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTest {

  private static final Program PROGRAM = Given.program(Given.map("intent", "text"));
  private static final String NAME = PROGRAM.name();
  private static final String SAMPLES = KafkaNames.UNPREFIXED.samples(NAME);
  private static final String OBSERVATIONS = KafkaNames.UNPREFIXED.observations(NAME);
  private static final String VALIDATION = PROGRAM.validation().topic();
  private static final String OTHER_VALIDATION = "other-validation";
  private static final String FEEDBACK = "corrections";
  private static final String DOCUMENTS = "documents";
  private static final int EXAMPLES = 6;

  private final TopicsInMemory topics =
      new TopicsInMemory(
          List.of(
              KafkaNames.UNPREFIXED.control(),
              KafkaNames.UNPREFIXED.status(),
              KafkaNames.UNPREFIXED.learnt(),
              KafkaNames.UNPREFIXED.rejections(),
              SAMPLES,
              OBSERVATIONS,
              VALIDATION,
              OTHER_VALIDATION,
              FEEDBACK,
              DOCUMENTS));
  private RejectionLog rejections = new RejectionLog();
  private final StepClock clock = new StepClock();
  private final Set<String> answered = new HashSet<>();

  private TopicsInMemory.Connection connection = topics.new Connection();
  private Session session = open();

  /** Advances by one second per turn. */
  private static final class StepClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private Session open() {
    List<PhysicalOperator> models =
        Stream.of("llama-3.1-8b", "gpt-4o", "mixtral-8x7b")
            .map(model -> (PhysicalOperator) new ModelSelection(model))
            .toList();
    LoopSettings loop =
        LoopSettings.paper(
            7, 6, 4, SearchOptions.DEFAULT, _ -> Map.of("intent", models), catalogue());
    KafkaSettings settings =
        new KafkaSettings(
            Map.of(),
            new KafkaSettings.TopicDefaults((short) 1, 1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            new KafkaSettings.SourceExamples(0, Duration.ofSeconds(15)),
            GovernorSettings.DEFAULTS,
            loop);
    ValueReader values = ValueReader.of(null);
    Session opened =
        new Session(
            settings,
            connection.clients(),
            new RecordDecoder(new ControlCodec(catalogue(), ControlCodec.AvroReader.NONE), values),
            new StreamExamples(settings, values, topics::reader),
            rejections,
            new ControlPlaneState(),
            new Supervisor(RestartPolicy.standard(_ -> true), clock),
            clock);
    opened.open();
    return opened;
  }

  private static ModelCatalogue catalogue() {
    return ModelCatalogue.builtIn();
  }

  private void restart() {
    connection = topics.new Connection();
    session = open();
  }

  /** As another process would start. */
  private void restartProcess() {
    rejections = new RejectionLog();
    restart();
  }

  private void turn() {
    connection.deliver();
    clock.now = clock.now.plusSeconds(1);
    session.turn();
    connection.collect();
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  private void writeProgram() {
    write(new ControlRecord.ProgramSet(PROGRAM));
  }

  /** Applies the program again, with another validation topic. */
  private void writeProgramWithOtherValidation() {
    topics.write(
        KafkaNames.UNPREFIXED.control(),
        "program/" + NAME,
        bytes(
            new String(
                    ControlCodec.encode(new ControlRecord.ProgramSet(PROGRAM)),
                    StandardCharsets.UTF_8)
                .replace("\"" + VALIDATION + "\"", "\"" + OTHER_VALIDATION + "\"")));
  }

  /** Applies the program with a topic of corrected results. */
  private void writeProgramWithFeedback() {
    Settings settings = PROGRAM.settings();
    write(
        new ControlRecord.ProgramSet(
            PROGRAM.withSettings(
                new Settings(
                    settings.objective(),
                    settings.budget(),
                    new Validation(VALIDATION, FEEDBACK, Map.of()),
                    settings.models(),
                    settings.ordering(),
                    settings.governance()))));
  }

  /** Sends a corrected result of the document at this offset. */
  private void correct(int offset, String result) {
    topics.write(
        FEEDBACK,
        "key-" + offset,
        bytes(result),
        new RecordHeader("abacus-source", bytes(DOCUMENTS + "-0@" + offset)));
  }

  private List<String> rejections() {
    return topics.log(KafkaNames.UNPREFIXED.rejections()).stream()
        .map(record -> read(record, Rejection.class).reason())
        .toList();
  }

  private void write(ControlRecord record) {
    topics.write(KafkaNames.UNPREFIXED.control(), record.key().path(), ControlCodec.encode(record));
  }

  private void writeExamples() {
    writeExamples(VALIDATION);
  }

  private void writeExamples(String topic) {
    for (int i = 0; i < EXAMPLES; i++) {
      topics.write(
          topic,
          "e" + i,
          bytes(
              "{\"document\": {\"text\": \"t%d\"}, \"labels\": {\"intent\": \"x\"}}".formatted(i)));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<SampleTask> tasks() {
    return topics.log(SAMPLES).stream().map(record -> read(record, SampleTask.class)).toList();
  }

  private static <T> T read(ConsumerRecord<byte[], byte[]> record, Class<T> type) {
    try {
      return Json.read(record.value(), type);
    } catch (MalformedRecordException e) {
      throw new AssertionError(e);
    }
  }

  /** Carries out the tasks that have no observation yet. */
  private void answer() {
    for (SampleTask task : tasks()) {
      if (answered.add(task.id())) {
        topics.write(OBSERVATIONS, task.id(), Json.write(observation(task)));
      }
    }
  }

  private static Observation observation(SampleTask task) {
    boolean best = task.physical().id().contains("gpt-4o");
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(List.of(task.input()))
        .score(best ? 0.9 : 0.3, Observation.ScoredBy.LABEL)
        .cost(0.001)
        .latency(1)
        .build();
  }

  private void run(int turns) {
    for (int i = 0; i < turns; i++) {
      turn();
      answer();
    }
  }

  private List<String> planKeys() {
    return topics.keys(KafkaNames.UNPREFIXED.control()).stream()
        .filter(key -> key.startsWith("plan/") || key.startsWith("active/"))
        .toList();
  }

  private JsonNode status() throws Exception {
    return Json.read(
        topics.log(KafkaNames.UNPREFIXED.status()).stream()
            .filter(record ->
                new String(record.key(), StandardCharsets.UTF_8).equals(NAME + "/optimizer"))
            .toList()
            .getLast()
            .value(),
        JsonNode.class);
  }

  @Test
  void aNewProgramIsSampledAndGetsThePlanThatTheSamplesFavour() {
    writeProgram();
    writeExamples();
    run(20);

    assertThat(tasks()).isNotEmpty();
    assertThat(planKeys().getFirst()).isEqualTo("plan/test/1");
    ConsumerRecord<byte[], byte[]> last =
        topics.log(KafkaNames.UNPREFIXED.control()).stream()
            .filter(record -> new String(record.key(), StandardCharsets.UTF_8).startsWith("plan/"))
            .toList()
            .getLast();
    assertThat(new String(last.value(), StandardCharsets.UTF_8)).contains("\"gpt-4o\"");
  }

  @Test
  void theStatusSetsMeasuredBesidePromised() throws Exception {
    writeProgram();
    writeExamples();
    run(20);
    InstanceStatus worker =
        InstanceStatus.builder(NAME, "w", clock.now, "RUNNING")
            .results(4)
            .epochs(List.of(new EpochCounts(1, 4, 0, 0.008, 0.000016, 8, 16)))
            .build();
    topics.write(KafkaNames.UNPREFIXED.status(), NAME + "/w", Json.write(worker));
    turns(15);

    PromiseReport report = Json.read(bytes(status().path("plan").toString()), PromiseReport.class);
    assertThat(report.epoch()).isEqualTo(1);
    assertThat(report.measured().documents()).isEqualTo(4);
    assertThat(report.measured().cost()).isEqualTo(new Range(0.002, 0.002, 0.002));
    assertThat(report.promised().cost().mean()).isEqualTo(0.001);
  }

  @Test
  void aCorrectedResultBecomesALabelledExampleOnce() throws Exception {
    writeProgramWithFeedback();
    writeExamples();
    for (int i = 0; i < 30; i++) {
      topics.write(DOCUMENTS, "key-" + i, bytes("{\"text\": \"document %d\"}".formatted(i)));
    }
    correct(7, "{\"text\": \"document 7\", \"intent\": \"refund\"}");
    run(20);
    restart();
    run(5);

    List<ConsumerRecord<byte[], byte[]>> examples =
        topics.log(VALIDATION).subList(EXAMPLES, topics.log(VALIDATION).size());
    assertThat(examples).hasSize(1);
    assertThat(new String(examples.getFirst().key(), StandardCharsets.UTF_8))
        .isEqualTo("stream:documents-0@7");
    assertThat(read(examples.getFirst(), JsonNode.class).toString())
        .isEqualTo(
            "{\"source\":\"documents\",\"document\":{\"text\":\"document 7\"},"
                + "\"labels\":{\"intent\":{\"intent\":\"refund\"}}}");
    assertThat(rejections()).isEmpty();

    correct(7, "{\"intent\": \"complaint\"}");
    run(5);
    assertThat(topics.log(VALIDATION)).as("a later correction replaces it").hasSize(EXAMPLES + 2);
  }

  @Test
  void twentyCorrectedResultsCauseANewRound() {
    writeProgramWithFeedback();
    writeExamples();
    for (int i = 0; i < 20; i++) {
      topics.write(DOCUMENTS, "key-" + i, bytes("{\"text\": \"document %d\"}".formatted(i)));
    }
    run(20);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.control())).doesNotContain("reoptimize/test");
    for (int i = 0; i < 20; i++) {
      correct(i, "{\"intent\": \"refund\"}");
    }
    run(60);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.control())).contains("reoptimize/test");
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES + 20);
  }

  @Test
  void correctedResultsThatCannotBeUsedAreRejected() {
    writeProgramWithFeedback();
    writeExamples();
    topics.write(DOCUMENTS, "key-0", bytes("{\"text\": \"document\"}"));
    topics.write(FEEDBACK, "no header", bytes("{\"intent\": \"refund\"}"));
    correct(0, "{\"intent\": 5}");
    correct(0, "{\"note\": \"refund\"}");
    correct(0, "no JSON");
    correct(1, "{\"intent\": \"refund\"}");
    run(10);
    restartProcess();
    run(10);

    assertThat(rejections())
        .hasSize(5)
        .anyMatch(reason -> reason.contains("no header 'abacus-source'"))
        .anyMatch(reason -> reason.contains("'intent' has a value that 'intent' cannot write"))
        .anyMatch(reason -> reason.contains("none of the fields [intent]"))
        .anyMatch(reason -> reason.contains("documents-0@1 is not on the source topic any more"));
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES);
    assertThat(planKeys()).contains("active/test");
  }

  @Test
  void theRecordsOfOneTurnAreOneTransaction() {
    writeProgram();
    writeExamples();
    turns(3);

    assertThat(tasks()).hasSizeGreaterThan(1);
    assertThat(connection.producer.commitCount()).isLessThanOrEqualTo(3);
    assertThat(connection.producer.uncommittedRecords()).isEmpty();
  }

  @Test
  void aPlanStandsBeforeItsActivation() {
    writeProgram();
    writeExamples();
    run(20);

    List<String> keys = planKeys();
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).startsWith("active/")) {
        assertThat(keys.subList(0, i)).anyMatch(key -> key.startsWith("plan/"));
      }
    }
    assertThat(keys).anyMatch(key -> key.startsWith("active/"));
  }

  @Test
  void aRestartFoldsTheStateAndIssuesNoTaskTwice() {
    writeProgram();
    writeExamples();
    run(2);
    restart();
    run(20);

    assertThat(tasks()).extracting(SampleTask::id).doesNotHaveDuplicates();
    assertThat(planKeys()).isNotEmpty().doesNotHaveDuplicates().contains("active/test");
  }

  @Test
  void aFinishedSearchStaysFinishedAfterARestart() {
    writeProgram();
    writeExamples();
    run(20);
    int tasks = tasks().size();
    List<String> plans = planKeys();
    restart();
    run(5);

    assertThat(tasks()).hasSize(tasks);
    assertThat(planKeys()).isEqualTo(plans);
  }

  @Test
  void aMalformedControlRecordIsRejectedAndTheNextOneIsRead() {
    topics.write(KafkaNames.UNPREFIXED.control(), "program/test", bytes("operators: ["));
    topics.write(KafkaNames.UNPREFIXED.control(), "nonsense", bytes("1"));
    writeProgram();
    writeExamples();
    turns(3);

    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections()))
        .extracting(record -> read(record, Rejection.class).offset())
        .containsExactly(0L, 1L);
    assertThat(tasks()).isNotEmpty();
  }

  private static final String OBJECTIVE = "objective/" + NAME;
  private static final byte[] IN_FORCE = bytes("\"minimize cost\"");

  private List<String> objectives() {
    return topics.log(KafkaNames.UNPREFIXED.control()).stream()
        .filter(record -> key(record).equals(OBJECTIVE))
        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
        .toList();
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  @Test
  void theValueInForceIsWrittenBehindARefusedRecord() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, IN_FORCE);
    turns(2);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    turns(3);

    assertThat(objectives()).containsExactly("\"minimize cost\"", "nonsense", "\"minimize cost\"");
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly(OBJECTIVE);

    restartProcess();
    turns(3);
    assertThat(objectives()).hasSize(3);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly(OBJECTIVE);
  }

  @Test
  void theNextLeaderRestoresWhatADeadOneDidNot() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, IN_FORCE);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    connection.deliver();
    session.turn();
    // Not collected: the process was killed before its transaction ended.
    restartProcess();
    turns(3);

    assertThat(objectives()).containsExactly("\"minimize cost\"", "nonsense", "\"minimize cost\"");
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly(OBJECTIVE);
  }

  @Test
  void aRecordBetweenARefusedOneAndItsRestorationIsRejectedByTheNextLeader() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, IN_FORCE);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    connection.deliver();
    session.turn();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("more nonsense"));
    connection.collect();
    restartProcess();
    turns(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections()))
        .containsExactly(OBJECTIVE, OBJECTIVE);
    assertThat(objectives()).endsWith("\"minimize cost\"");
  }

  @Test
  void aValueOfAUserThatIsFasterThanTheRestorationStaysInForce() throws Exception {
    writeProgram();
    writeExamples();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, IN_FORCE);
    turns(2);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    connection.deliver();
    session.turn();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("\"minimize latency\""));
    connection.collect();
    turns(3);

    assertThat(objectives())
        .containsExactly(
            "\"minimize cost\"",
            "nonsense",
            "\"minimize latency\"",
            "\"minimize cost\"",
            "\"minimize latency\"");
    assertThat(status().path("objective").asText()).isEqualTo("minimize latency");
  }

  @Test
  void aPlanThatAUserActivatedStaysAfterARestoration() throws Exception {
    writeProgram();
    writeExamples();
    run(20);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("\"maximize quality\""));
    run(5);
    topics.write(KafkaNames.UNPREFIXED.control(), "active/" + NAME, bytes("{\"epoch\": 1}"));
    run(3);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    run(3);
    int plans = planKeys().size();

    restartProcess();
    run(5);

    assertThat(planKeys()).hasSize(plans);
    assertThat(status().path("epoch").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "pin/test/intent | {\"technique\": \"model-selection\", \"model\": \"gpt-4\"} | did you mean 'model-selection(gpt-4o)'?",
        "pin/test/nobody | {\"technique\": \"model-selection\", \"model\": \"gpt-4o\"} | has no semantic operator 'nobody'",
        "pin/test/intent | {\"technique\": \"magic\"} | unknown technique 'magic'",
        "pin/test/intent | {\"technique\": \"model-selection\"} | 'model' is missing",
        "plan/test/1 | {\"epoch\": \"x\"} | not a valid plan",
        "active/test | {\"epoch\": 9} | there is no plan of epoch 9"
      })
  void aRefusalUsesTheWordsOfTheProduct(String key, String value, String reason) {
    writeProgram();
    turns(2);
    topics.write(KafkaNames.UNPREFIXED.control(), key, bytes(value));
    turns(2);

    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections()))
        .singleElement()
        .satisfies(record -> {
          Rejection rejection = read(record, Rejection.class);
          assertThat(rejection.key()).isEqualTo(key);
          assertThat(rejection.reason()).contains(reason).doesNotContain("dev.abacus", "java.");
        });
  }

  @Test
  void aProgramThatReadsItsOwnResultsIsRejected() {
    writeProgram();
    topics.write(
        KafkaNames.UNPREFIXED.control(),
        "program/loop",
        bytes(
            "{program: loop, sources: {s: {topic: x}}, operators: [{filter: f, condition: c, reads: [t]}], results: {topic: x}}"));
    turns(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly("program/loop");
  }

  @Test
  void aRefusedPlanDoesNotReplaceThePlanOfItsEpoch() {
    writeProgram();
    writeExamples();
    run(20);
    topics.write(KafkaNames.UNPREFIXED.control(), "plan/" + NAME + "/1", bytes("{}"));
    run(3);

    ConsumerRecord<byte[], byte[]> last =
        topics.log(KafkaNames.UNPREFIXED.control()).stream()
            .filter(record -> key(record).equals("plan/" + NAME + "/1"))
            .toList()
            .getLast();
    assertThat(new String(last.value(), StandardCharsets.UTF_8)).contains("\"epoch\":1");
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections()))
        .containsExactly("plan/" + NAME + "/1");
  }

  @Test
  void aMalformedExampleIsRejectedOnceAlsoAfterARestart() {
    writeProgram();
    topics.write(VALIDATION, "bad", bytes("{\"document\": 7}"));
    writeExamples();
    turns(3);
    restart();
    turns(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections()))
        .containsExactly(VALIDATION + "/bad");
    assertThat(tasks()).isNotEmpty();
  }

  @Test
  void aChangedValidationTopicIsFollowed() {
    writeProgram();
    turns(2);
    writeProgramWithOtherValidation();
    assertThatExceptionOfType(TopicsChangedException.class).isThrownBy(this::turn);

    restart();
    turns(2);
    assertThat(tasks()).isEmpty();
    writeExamples(OTHER_VALIDATION);
    turns(3);
    assertThat(tasks()).isNotEmpty();
    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections())).isEmpty();
  }

  @Test
  void aRecordBesideAChangedValidationTopicIsRejectedByTheNextSession() {
    writeProgram();
    turns(2);
    topics.write(KafkaNames.UNPREFIXED.control(), "nonsense", bytes("1"));
    writeProgramWithOtherValidation();
    assertThatExceptionOfType(TopicsChangedException.class).isThrownBy(this::turn);
    connection.collect();

    restart();
    turns(3);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly("nonsense");
  }

  @Test
  void aRejectionOfAFailedTransactionIsWrittenByTheNextSession() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), "nonsense", bytes("1"));
    connection.producer.commitTransactionException = new KafkaException("no quorum");
    assertThatExceptionOfType(KafkaException.class).isThrownBy(() -> turns(3));

    restart();
    turns(3);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly("nonsense");
  }

  @Test
  void refusedControlRecordsAreRejectedOnceAlsoAfterARestart() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), "nonsense", bytes("1"));
    topics.write(KafkaNames.UNPREFIXED.control(), "program/broken", bytes("operators: ["));
    turns(3);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    topics.write(KafkaNames.UNPREFIXED.control(), "active/" + NAME, bytes("{\"epoch\": 9}"));
    topics.write(KafkaNames.UNPREFIXED.control(), "active/" + NAME, bytes("{\"epoch\": 8}"));
    turns(3);
    List<String> rejected = topics.keys(KafkaNames.UNPREFIXED.rejections());
    assertThat(rejected)
        .containsExactly(
            "nonsense", "program/broken", OBJECTIVE, "active/" + NAME, "active/" + NAME);

    List<String> control = topics.keys(KafkaNames.UNPREFIXED.control());

    restart();
    turns(3);
    restartProcess();
    turns(3);
    restartProcess();
    turns(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).isEqualTo(rejected);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.control())).isEqualTo(control);
  }

  @Test
  void aMalformedObservationIsSkippedAndCounted() throws Exception {
    writeProgram();
    writeExamples();
    turns(2);
    topics.write(OBSERVATIONS, "bad", bytes("no JSON"));
    run(20);

    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections())).isEmpty();
    assertThat(status().path("badRecords").asLong()).isEqualTo(1);
    assertThat(planKeys()).contains("active/test");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "a: &a {b: *a}",
        "{\"document\": {\"text\": 1e-2147483648}}",
        "spending: {usd: 1, per: 99999999999999h}",
        "{\"program\":\"test\",\"instance\":\"x\",\"at\":null,\"state\":null}"
      })
  void hostileRecordsOnAnyTopicDoNotStopTheSearch(String text) {
    writeProgram();
    for (String key : List.of("budget/test", "plan/test/7", "active/test", "pin/test/intent")) {
      topics.write(KafkaNames.UNPREFIXED.control(), key, bytes(text));
    }
    topics.write(KafkaNames.UNPREFIXED.status(), "test/stranger", bytes(text));
    topics.write(KafkaNames.UNPREFIXED.status(), "test/governor", bytes(text));
    topics.write(KafkaNames.UNPREFIXED.learnt(), "priors/test", bytes(text));
    topics.write(KafkaNames.UNPREFIXED.learnt(), "learnt/test/intent", bytes(text));
    writeExamples();
    topics.write(VALIDATION, "bad", bytes(text));
    turns(2);
    topics.write(OBSERVATIONS, "bad", bytes(text));
    topics.write(KafkaNames.UNPREFIXED.status(), "test/stranger", bytes(text));
    run(20);
    restart();
    run(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).contains(VALIDATION + "/bad");
    assertThat(planKeys()).contains("active/test");
  }

  @Test
  void nothingIsDecidedBeforeTheTopicsAreReadToTheEnd() {
    writeProgram();
    writeExamples();
    restart();
    connection.consumer.setMaxPollRecords(1);
    turns(EXAMPLES);

    assertThat(tasks()).isEmpty();
    turns(10);
    assertThat(tasks()).isNotEmpty();
  }

  @Test
  void aFencedLeaderWritesNothing() {
    writeProgram();
    writeExamples();
    connection.producer.fenceProducer();

    assertThatExceptionOfType(ProducerFencedException.class).isThrownBy(() -> turns(3));
    assertThat(connection.producer.history()).isEmpty();
  }

  @Test
  void theNextSessionRepeatsTheDecisionsOfAFailedTransaction() {
    writeProgram();
    writeExamples();
    turn();
    connection.producer.commitTransactionException = new KafkaException("no quorum");
    assertThatExceptionOfType(KafkaException.class).isThrownBy(() -> turns(3));
    List<String> lost =
        connection.producer.uncommittedRecords().stream()
            .filter(record -> record.topic().equals(SAMPLES))
            .map(record -> new String(record.key(), StandardCharsets.UTF_8))
            .toList();
    assertThat(lost).isNotEmpty();
    assertThat(tasks()).isEmpty();

    restart();
    turns(3);
    assertThat(topics.keys(SAMPLES)).containsAll(lost);
  }

  @Test
  void aSessionIsReadyWhenTheControlTopicIsRead() {
    writeProgram();
    restart();
    assertThat(session.isReady()).isFalse();
    turn();
    assertThat(session.isReady()).isTrue();
  }
}
