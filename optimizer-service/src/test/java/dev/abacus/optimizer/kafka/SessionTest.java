package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.governor.GovernorState;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatusBuilder;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.Range;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches of a session, its transactions, and its restarts. */
class SessionTest extends SessionFixture {

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
            .epochs(List.of(new EpochCounts(1, 4, 0, 0.008, 0.000016, 8, 16, null)))
            .build();
    topics.write(KafkaNames.UNPREFIXED.status(), NAME + "/w", Json.write(worker));
    turns(15);

    PromiseReport report = Json.read(bytes(status().path("plan").toString()), PromiseReport.class);
    assertThat(report.epoch()).isEqualTo(1);
    assertThat(report.measured().documents()).isEqualTo(4);
    assertThat(report.measured().cost()).isEqualTo(Range.of(0.002));
    assertThat(report.promised().cost().mean()).isEqualTo(0.001);
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
  void aProgramWhoseRecordsKafkaRefusesDoesNotStopAnother() throws Exception {
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    writeExamples(OTHER.validation().topic());
    topics.refusing = KafkaNames.UNPREFIXED.samples(OTHER.name());
    RefusedRecordException refused =
        catchThrowableOfType(RefusedRecordException.class, () -> turns(3));
    assertThat(refused)
        .hasMessageMatching("(?s)Kafka refuses a record of [\\d,]+ bytes for topic .*");
    assertThat(refused.program()).isEqualTo(OTHER.name());

    refusals.refused(OTHER.name(), String.valueOf(refused.getMessage()), clock.now);
    restart();
    run(20);
    assertThat(planKeys()).contains("active/" + NAME).doesNotContain("active/" + OTHER.name());
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("FAILED");
    assertThat(status(OTHER.name()).path("message").asText())
        .startsWith(refused.getMessage())
        .endsWith("then it is tried again");

    topics.refusing = null;
    turns(60);
    assertThat(topics.log(KafkaNames.UNPREFIXED.samples(OTHER.name()))).isNotEmpty();
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("SAMPLING");
  }

  @Test
  void aRightThatLacksOnASharedTopicIsNotOfOneProgram() {
    writeProgram();
    writeExamples();
    topics.refusal = new TopicAuthorizationException(Set.of("any"));
    topics.refusing = SAMPLES;
    assertThatExceptionOfType(RefusedRecordException.class).isThrownBy(() -> turns(3));

    topics.refusing = null;
    restart();
    run(2);
    topics.refusing = KafkaNames.UNPREFIXED.control();
    assertThatExceptionOfType(KafkaException.class)
        .isThrownBy(() -> run(20))
        .isNotInstanceOf(RefusedRecordException.class);
  }

  @Test
  void aSessionThatMayNotUseTheTopicsOfAProgramSaysSo() throws Exception {
    topics.denied = OTHER.name();
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    run(20);
    assertThat(planKeys()).contains("active/" + NAME);
    assertThat(status(OTHER.name()).path("message").asText()).contains("topic of other");
    assertThat(status().path("threads").toString()).contains("topics of other");

    topics.denied = null;
    turns(60);
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("WAITING_FOR_EXAMPLES");

    restart();
    topics.denied = OTHER.name();
    turns(20);
    topics.write(KafkaNames.UNPREFIXED.control(), "program/" + OTHER.name(), null);
    turns(20);
    assertThat(status().path("threads").toString()).doesNotContain("topics of other");
  }

  @Test
  void topicsThatThePolicyOfTheClusterRefusesHoldUpTheirProgramAlone() throws Exception {
    topics.denied = OTHER.name();
    topics.denial = new PolicyViolationException("at most 100 partitions");
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    run(20);

    assertThat(planKeys()).contains("active/" + NAME);
    assertThat(status(OTHER.name()).path("message").asText()).contains("at most 100 partitions");
  }

  @Test
  void aClockThatIsSetBackProlongsNoRefusal() throws Exception {
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    topics.denied = NAME;
    refusals.refused(OTHER.name(), "too large", clock.now);
    turns(5);
    assertThat(status().path("phase").asText()).isEqualTo("FAILED");
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("FAILED");

    topics.denied = null;
    clock.now = clock.now.minus(Duration.ofDays(1));
    turns(5);

    assertThat(tasks()).isNotEmpty();
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("WAITING_FOR_EXAMPLES");
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
  void aMalformedObservationIsSkippedAndCounted() throws Exception {
    writeProgram();
    writeExamples();
    turns(2);
    topics.write(OBSERVATIONS, "bad", bytes("no JSON"));
    run(20);

    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections())).isEmpty();
    assertThat(status().path("badRecords").asLong()).isEqualTo(1);
    assertThat(status().path("lastBadRecord").asText())
        .startsWith(OBSERVATIONS + "-0@0: not a valid observation");
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
  void theStateOfTheGovernorIsRestoredBehindTheReportsOfALongStop() throws Exception {
    writeProgram();
    writeExamples();
    run(20);
    ObjectNode state = (ObjectNode) governor();
    state.putArray("rolledBack").add(77);
    topics.write(KafkaNames.UNPREFIXED.status(), "test/governor", Json.write(state));
    for (int i = 0; i < 100; i++) {
      topics.write(KafkaNames.UNPREFIXED.status(), "other/worker", bytes("{}"));
    }

    restart();
    run(5);

    assertThat(governor().path("rolledBack").path(0).asInt()).isEqualTo(77);
  }

  /** The state that the governor has written last. */
  private JsonNode governor() throws Exception {
    ConsumerRecord<byte[], byte[]> last =
        topics.log(KafkaNames.UNPREFIXED.status()).stream()
            .filter(record -> RecordText.key(record).equals("test/governor"))
            .reduce((_, later) -> later)
            .orElseThrow();
    return Json.read(last.value(), JsonNode.class);
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

  /** Turns, with a new session whenever topics have changed. */
  private void runOver(int turns) {
    for (int i = 0; i < turns; i++) {
      try {
        run(1);
      } catch (TopicsChangedException e) {
        restart();
      }
    }
  }

  @Test
  void whatIsWrittenWhileAProgramIsRemovedCountsWhenItComesBack() {
    writeProgram();
    runOver(3);
    topics.write(KafkaNames.UNPREFIXED.control(), "program/" + NAME, null);
    runOver(3);
    writeExamples();
    runOver(3);
    writeProgram();
    runOver(20);

    assertThat(planKeys()).contains("active/" + NAME);
  }

  @Test
  void examplesOfAnEarlierTopicDoNotCountHoweverSoonTheProgramFollows() {
    writeProgram();
    writeExamples();
    turn();
    writeProgram();
    writeProgramWithOtherValidation();
    runOver(3);
    int tasks = tasks().size();
    runOver(20);

    assertThat(planKeys()).isEmpty();
    assertThat(tasks()).hasSize(tasks);
  }

  @Test
  void aRejectionOfALargeValueIsSmall() {
    writeProgram();
    writeExamples();
    String large = "x".repeat(2_000_000);
    topics.write(
        VALIDATION, large, bytes("{\"source\": \"%s\", \"document\": {}}".formatted(large)));
    run(20);
    restart();
    run(3);

    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections()))
        .singleElement()
        .satisfies(
            record -> assertThat(record.key().length + record.value().length).isLessThan(10_000));
    assertThat(planKeys()).contains("active/" + NAME);
  }

  @Test
  void aClockThatIsSetBackStopsNoReports() {
    writeProgram();
    writeExamples();
    run(20);
    clock.now = clock.now.minusSeconds(3600);
    int before = topics.log(KafkaNames.UNPREFIXED.status()).size();
    turns(60);

    assertThat(
            topics
                .keys(KafkaNames.UNPREFIXED.status())
                .subList(before, topics.log(KafkaNames.UNPREFIXED.status()).size()))
        .contains(NAME + "/optimizer", NAME + "/governor");
  }

  @Test
  void whatFailsForOneProgramDoesNotStopAnother() throws Exception {
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    writeExamples(OTHER.validation().topic());
    ObjectNode state = (ObjectNode) Json.tree(GovernorState.START);
    state.set(
        "avoided",
        Json.read(
            bytes("{\"m\": {\"until\": \"%s\", \"span\": \"PT1H\"}}".formatted(Instant.MAX)),
            JsonNode.class));
    topics.write(KafkaNames.UNPREFIXED.status(), NAME + "/governor", Json.write(state));
    run(30);

    assertThat(status().path("phase").asText()).isEqualTo("FAILED");
    assertThat(topics.log(KafkaNames.UNPREFIXED.samples(OTHER.name()))).isNotEmpty();
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("SAMPLING");
  }

  @Test
  void whatCannotBeShownOfOneProgramDoesNotStopAnother() throws Exception {
    writeProgram();
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples();
    QualityCounts endless =
        new QualityCounts(1, "intent", 3, Double.POSITIVE_INFINITY, 1, null, null, null);
    topics.write(
        KafkaNames.UNPREFIXED.status(),
        NAME + "/w",
        Json.write(
            InstanceStatus.builder(NAME, "w", clock.now, "RUNNING")
                .quality(List.of(endless))
                .build()));
    run(30);

    assertThat(status().path("phase").asText()).isEqualTo("FAILED");
    assertThat(status().path("message").asText()).contains("Infinity");
    assertThat(status(OTHER.name()).path("phase").asText()).isEqualTo("WAITING_FOR_EXAMPLES");
  }

  @Test
  void reportsOfWorkersThatAreGoneAreRemoved() {
    writeProgram();
    writeExamples();
    run(20);
    append(0, "w", report("w").build());
    turns(10);
    clock.now = clock.now.plus(Duration.ofDays(8));
    turns(10);
    assertThat(reports(NAME + "/w")).as("what it had admitted waits").hasSize(1);
    append(0, "w2", report("w2").build());
    turns(10);
    assertThat(reports(NAME + "/w")).hasSize(2).last().extracting(ConsumerRecord::value).isNull();
    assertThat(reports(NAME + "/w2")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aReportThatIsOlderThanTheStateOfTheGovernorCountsOnceInWhateverPartitionItIs(int partition)
      throws Exception {
    append(partition, "w", report("w").costUsd(0.8).results(80).build());
    append(partition, "w", report("w").costUsd(0.9).results(90).build());
    ObjectNode state = (ObjectNode) Json.tree(GovernorState.START);
    ((ObjectNode) state.path("spending")).put("spent", 0.9);
    state.withObject("/readings/w").put("cost", 0.9).put("documents", 90).putObject("epochs");
    append(1 - partition, "governor", state);
    restart();
    writeProgram();
    writeExamples();
    run(20);
    append(partition, "w", report("w").costUsd(1.0).results(100).build());
    turns(5);

    assertThat(governor().at("/spending/spent").asDouble()).isCloseTo(1.0, within(1e-9));
  }

  private InstanceStatusBuilder report(String worker) {
    return InstanceStatus.builder(NAME, worker, clock.now, "RUNNING");
  }

  private void append(int partition, String component, Object value) {
    topics.append(
        new ProducerRecord<>(
            KafkaNames.UNPREFIXED.status(),
            partition,
            bytes(NAME + "/" + component),
            Json.write(value)));
  }

  private List<ConsumerRecord<byte[], byte[]>> reports(String key) {
    return topics.log(KafkaNames.UNPREFIXED.status()).stream()
        .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(key))
        .toList();
  }
}
