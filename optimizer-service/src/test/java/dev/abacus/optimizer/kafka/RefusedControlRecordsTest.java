package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A session rejects records that it cannot use, and restores the values in force. */
class RefusedControlRecordsTest extends SessionFixture {

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

  @Test
  void theValueInForceIsWrittenBehindARefusedRecord() {
    writeProgram();
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, IN_FORCE);
    turns(2);
    topics.write(KafkaNames.UNPREFIXED.control(), OBJECTIVE, bytes("nonsense"));
    turns(3);

    assertThat(objectives()).containsExactly("\"minimize cost\"", "nonsense", "\"minimize cost\"");
    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).containsExactly(OBJECTIVE);

    restart();
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
    restart();
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
    restart();
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

    restart();
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
    restart();
    turns(3);
    restart();
    turns(3);

    assertThat(topics.keys(KafkaNames.UNPREFIXED.rejections())).isEqualTo(rejected);
    assertThat(topics.keys(KafkaNames.UNPREFIXED.control())).isEqualTo(control);
  }
}
