package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Validation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests for labels: how many, about what, until when, and what becomes of answers. */
class ReviewSessionTest extends SessionFixture {

  private static final String REVIEW = KafkaNames.UNPREFIXED.review(NAME);
  private static final int PER_DAY = 4;

  @BeforeEach
  void writeDocuments() {
    for (int i = 0; i < 30; i++) {
      String document = "{\"text\": \"document %d\", \"note\": \"secret\"}".formatted(i);
      topics.write(DOCUMENTS, "key-" + i, bytes(document));
      // Copies that the optimizer made before.
      topics.write(
          VALIDATION,
          "stream:documents-0@" + i,
          bytes("{\"source\": \"documents\", \"document\": %s}".formatted(document)));
    }
    ask(PER_DAY);
  }

  private void ask(int perDay) {
    ask(perDay, 0);
  }

  private void ask(int perDay, double shadow) {
    write(
        new ControlRecord.ProgramSet(
            PROGRAM.withSettings(
                PROGRAM
                    .settings()
                    .withValidation(new Validation(VALIDATION, FEEDBACK, Map.of(), true))
                    .withLearning(Learning.withoutAnswers(shadow, perDay)))));
  }

  private List<ConsumerRecord<byte[], byte[]>> requests() {
    return topics.log(REVIEW).stream().filter(record -> record.value() != null).toList();
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  private static ReviewRequest request(ConsumerRecord<byte[], byte[]> record) {
    return read(record, ReviewRequest.class);
  }

  private void answer(String position, @Nullable String value) {
    topics.write(
        FEEDBACK,
        "",
        value == null ? null : bytes(value),
        new RecordHeader("abacus-source", bytes(position)));
  }

  private void pass(Duration time) {
    clock.now = clock.now.plus(time);
    run(5);
  }

  private JsonNode reviewStatus() throws Exception {
    pass(Duration.ofSeconds(30));
    return status().path("review");
  }

  private ConsumerRecord<byte[], byte[]> lastExample(String position) {
    return topics.log(VALIDATION).stream()
        .filter(record -> key(record).equals("stream:" + position))
        .toList()
        .getLast();
  }

  @Test
  void asksForAsManyLabelsADayAsAllowedAndForNoneTwiceAlsoAfterARestart() throws Exception {
    ask(1);
    run(60);
    assertThat(requests()).hasSize(1);
    restart();
    pass(Duration.ofHours(23));
    assertThat(requests()).as("a restart on the same day").hasSize(1);

    for (int day = 2; day <= 4; day++) {
      pass(Duration.ofDays(1));
      restart();
      pass(Duration.ofMinutes(2));
      assertThat(requests()).hasSize(day);
    }
    assertThat(requests()).extracting(ReviewSessionTest::key).doesNotHaveDuplicates();
    assertThat(reviewStatus().toString())
        .isEqualTo(
            "{\"topic\":\"test.review\",\"perDay\":1,\"open\":4,\"answered\":0,\"expired\":0}");
  }

  @Test
  void aRequestHasTheQuestionWhatTheOperatorReadsAndTheHeaderOfTheAnswer() throws Exception {
    run(60);
    ConsumerRecord<byte[], byte[]> record = requests().getFirst();
    assertThat(record.headers().lastHeader("abacus-source").value()).isEqualTo(record.key());
    JsonNode value = read(record, JsonNode.class);
    assertThat(value.at("/operator/map").asText()).isEqualTo("intent");
    assertThat(value.at("/operator/instruction").asText()).isEqualTo("Do intent");
    String number = key(record).replace("documents-0@", "");
    assertThat(value.path("document").toString())
        .isEqualTo("{\"text\":\"document %s\"}".formatted(number));
    assertThat(Stream.of("why", "asked", "expires", "answers", "random")).allMatch(value::has);
    assertThat(requests()).filteredOn(each -> request(each).random()).isNotEmpty();
  }

  @Test
  void anAnswerBecomesALabelAndEndsItsRequest() throws Exception {
    run(60);
    List<ConsumerRecord<byte[], byte[]>> asked = requests();
    for (ConsumerRecord<byte[], byte[]> record : asked) {
      answer(key(record), "{\"labels\": {\"intent\": {\"intent\": \"refund\"}}}");
    }
    run(10);

    for (ConsumerRecord<byte[], byte[]> record : asked) {
      JsonNode example = read(lastExample(key(record)), JsonNode.class);
      assertThat(example.path("labels").toString())
          .isEqualTo("{\"intent\":{\"intent\":\"refund\"}}");
      assertThat(example.path("selected").asText("none"))
          .isEqualTo(request(record).random() ? "none" : "label");
      assertThat(
              topics.log(REVIEW).stream()
                  .filter(later -> key(later).equals(key(record)))
                  .toList()
                  .getLast()
                  .value())
          .isNull();
    }
    assertThat(reviewStatus().path("answered").asInt()).isEqualTo(PER_DAY);
    restart();
    pass(Duration.ofHours(2));
    assertThat(requests()).as("answers do not make room on the same day").hasSize(PER_DAY);
    assertThat(reviewStatus().path("answered").asInt()).isEqualTo(PER_DAY);
    assertThat(reviewStatus().path("open").asInt()).isZero();
  }

  @Test
  void anExpiredRequestLosesItsDocumentAndIsNotAskedAgain() throws Exception {
    run(60);
    List<String> asked = requests().stream().map(ReviewSessionTest::key).toList();
    pass(Duration.ofDays(7));
    pass(Duration.ofMinutes(2));
    restart();
    run(10);

    for (String position : asked) {
      List<ConsumerRecord<byte[], byte[]>> records =
          requests().stream().filter(record -> key(record).equals(position)).toList();
      assertThat(records).hasSize(2);
      assertThat(request(records.getLast()).isOpen()).isFalse();
      assertThat(
              new String(Objects.requireNonNull(records.getLast().value()), StandardCharsets.UTF_8))
          .doesNotContain("document " + position.replace("documents-0@", ""));
    }
    assertThat(reviewStatus().path("expired").asInt()).isEqualTo(PER_DAY);

    answer(asked.getFirst(), "{\"intent\": \"refund\"}");
    run(10);
    assertThat(read(lastExample(asked.getFirst()), JsonNode.class).has("labels"))
        .as("a late answer counts, too")
        .isTrue();
  }

  @Test
  void whenAProgramAsksNoMoreItsRequestsLoseTheirDocuments() throws Exception {
    run(60);
    List<String> asked = requests().stream().map(ReviewSessionTest::key).toList();
    assertThat(asked).hasSize(PER_DAY);

    ask(0, 0.01);
    run(10);

    List<ConsumerRecord<byte[], byte[]>> last = requests().subList(PER_DAY, 2 * PER_DAY);
    assertThat(last).extracting(ReviewSessionTest::key).containsExactlyInAnyOrderElementsOf(asked);
    assertThat(last).noneMatch(record -> request(record).isOpen());
    assertThat(requests()).hasSize(2 * PER_DAY);
  }

  @Test
  void aCorrectionWithoutARequestIsMarkedAsChosen() {
    ask(PER_DAY, 0.01);
    run(60);
    List<String> asked = requests().stream().map(ReviewSessionTest::key).toList();
    String other =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "documents-0@" + i)
            .filter(position -> !asked.contains(position))
            .findFirst()
            .orElseThrow();
    answer(other, "{\"intent\": \"refund\"}");
    topics.write(DOCUMENTS, "key-30", bytes("{\"text\": \"late\"}"));
    answer("documents-0@30", "{\"intent\": \"refund\"}");
    topics.write(DOCUMENTS, "key-31", bytes("{\"text\": \"beside the plan\"}"));
    topics.write(
        VALIDATION,
        "live:documents-0@31",
        bytes("{\"source\": \"documents\", \"document\": {\"text\": \"beside the plan\"}}"));
    run(10);
    answer("documents-0@31", "{\"intent\": \"refund\"}");
    run(10);

    assertThat(read(lastExample(other), JsonNode.class).path("selected").asText())
        .isEqualTo("label");
    assertThat(read(lastExample("documents-0@30"), JsonNode.class).path("selected").asText())
        .isEqualTo("document");
    assertThat(read(lastExample("documents-0@31"), JsonNode.class).path("selected").asText())
        .as("the document was drawn, not chosen")
        .isEqualTo("label");
  }
}
