package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Validation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;

/** Corrected results of users become labelled examples and cause new rounds. */
class FeedbackSessionTest extends SessionFixture {

  /** Applies the program with a topic of corrected results. */
  private void writeProgramWithFeedback() {
    Settings settings = PROGRAM.settings();
    write(
        new ControlRecord.ProgramSet(
            PROGRAM.withSettings(
                settings.withValidation(new Validation(VALIDATION, FEEDBACK, Map.of(), true)))));
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
                + "\"labels\":{\"intent\":{\"intent\":\"refund\"}},\"selected\":\"document\"}");
    assertThat(rejections()).isEmpty();
    assertThat(status().path("feedback").toString())
        .isEqualTo("{\"topic\":\"corrections\",\"examples\":1,\"refused\":0,\"nextRound\":19}");

    correct(7, "{\"intent\": \"complaint\"}");
    run(5);
    assertThat(topics.log(VALIDATION)).as("a later correction replaces it").hasSize(EXAMPLES + 2);
  }

  @Test
  void aCorrectedResultCountsForTheProgramOnWhoseTopicItIsAlone() throws Exception {
    writeProgramWithFeedback();
    write(
        new ControlRecord.ProgramSet(
            OTHER.withSettings(
                OTHER
                    .settings()
                    .withValidation(new Validation(VALIDATION, OTHER_FEEDBACK, Map.of(), true)))));
    writeExamples();
    for (int i = 0; i < 3; i++) {
      topics.write(DOCUMENTS, "key-" + i, bytes("{\"text\": \"document %d\"}".formatted(i)));
    }
    run(20);
    correct(0, "{\"intent\": \"refund\"}");
    correct(1, "{\"intent\": \"refund\"}");
    run(5);
    topics.write(
        OTHER_FEEDBACK,
        "key-1",
        bytes("{\"intent\": \"complaint\"}"),
        new RecordHeader("abacus-source", bytes(DOCUMENTS + "-0@1")));
    run(5);
    restart();
    run(20);

    assertThat(topics.log(VALIDATION).getLast().value())
        .asString(StandardCharsets.UTF_8)
        .contains("complaint");
    assertThat(status().at("/feedback/examples").asInt()).isEqualTo(2);
    assertThat(status(OTHER.name()).at("/feedback/examples").asInt()).isEqualTo(1);
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES + 3);
  }

  @Test
  void anExampleOfAnEarlierVersionCountsForItsProgram() throws Exception {
    writeProgramWithFeedback();
    writeExamples();
    topics.write(DOCUMENTS, "key-0", bytes("{\"text\": \"document\"}"));
    correct(0, "{\"intent\": \"refund\"}");
    topics.write(
        VALIDATION,
        "stream:documents-0@0",
        bytes("{\"document\": {\"text\": \"document\"}}"),
        new RecordHeader("abacus-feedback", bytes("0@0")));
    run(20);

    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES + 1);
    assertThat(status().at("/feedback/examples").asInt()).isEqualTo(1);
  }

  @Test
  void twentyCorrectedResultsCauseANewRound() throws Exception {
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
    assertThat(status().at("/feedback/examples").asInt()).isEqualTo(20);
    assertThat(status().at("/feedback/nextRound").asInt()).isEqualTo(20);
  }

  @Test
  void correctedResultsThatCannotBeUsedAreRejected() throws Exception {
    writeProgramWithFeedback();
    writeExamples();
    topics.write(DOCUMENTS, "key-0", bytes("{\"text\": \"document\"}"));
    topics.write(FEEDBACK, "no header", bytes("{\"intent\": \"refund\"}"));
    correct(0, "{\"intent\": 5}");
    correct(0, "{\"note\": \"refund\"}");
    correct(0, "no JSON");
    correct(1, "{\"intent\": \"refund\"}");
    run(10);
    restart();
    run(10);

    assertThat(rejections())
        .hasSize(5)
        .anyMatch(reason -> reason.contains("no header 'abacus-source'"))
        .anyMatch(reason -> reason.contains("'intent' cannot write this value: intent: must be "))
        .anyMatch(reason -> reason.contains("none of the fields [intent]"))
        .anyMatch(reason -> reason.contains("documents-0@1 is not on the source topic any more"));
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES);
    assertThat(status().at("/feedback/refused").asInt()).isEqualTo(5);
    assertThat(status().at("/feedback/lastRefusal").asText()).contains("documents-0@1");
    assertThat(planKeys()).contains("active/test");
  }

  @Test
  void anExampleWithHeadersOfANewerVersionCounts() throws Exception {
    writeProgramWithFeedback();
    writeExamples();
    topics.write(
        VALIDATION,
        "newer",
        bytes("{\"document\": {\"text\": \"newer\"}}"),
        new RecordHeader("abacus-feedback", bytes("nowhere")));
    topics.write(
        VALIDATION,
        "asked",
        bytes("{\"document\": {\"text\": \"asked\"}}"),
        new RecordHeader("abacus-asked", bytes("in the morning")));
    run(20);

    assertThat(rejections()).isEmpty();
    assertThat(status().path("badRecords").asInt()).isZero();
    assertThat(tasks()).extracting(SampleTask::exampleId).contains("newer", "asked");
  }
}
