package dev.abacus.topology.live;

import static dev.abacus.topology.live.Pipeline.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.LogicalOperator;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Programs of several stages, from their sources to their results. */
class StagedTopologyTest extends StagedFixture {

  @Test
  void outputsOfAOneToManyStepAreNumberedAndShareTheCost() {
    Pipeline p = open(ONE_SOURCE + SPLIT + "  - project: [word]\n");
    p.send("in", "k", "{\"text\":\"a b\"}", 1);

    List<TestRecord<String, byte[]>> records = p.records();
    assertThat(records)
        .extracting(Pipeline::shown)
        .containsExactly("k#1 {\"word\":\"a\"}", "k#2 {\"word\":\"b\"}");
    assertThat(header(records.getFirst(), Headers.COST_USD)).isEqualTo("0.005");
    assertThat(p.cost()).isCloseTo(0.01, within(1e-9));
  }

  @Test
  void aFailureOfOneOutputIsThatOfTheDocument() {
    Pipeline p = open(ONE_SOURCE + SPLIT + TITLE);
    p.send("in", "k", "{\"text\":\"a fail c\"}", 1);

    assertThat(p.results()).isEmpty();
    TestRecord<String, byte[]> letter = p.letters().getFirst();
    assertThat(Pipeline.shown(letter)).isEqualTo("k {\"text\":\"a fail c\"}");
    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("title");
  }

  @Test
  void aPlanRunsAMapBehindTheLimitAboveIt() {
    Pipeline p = open(ONE_SOURCE + KEEP + TITLE + "  - limit: 2\n");
    List<LogicalOperator> written = p.operators("keep", "title", "limit");
    p.activate(
        2,
        List.of(
            written.get(0),
            written.get(2).withInputs(List.of("keep")),
            written.get(1).withInputs(List.of("limit"))));
    for (String key : List.of("a", "b", "c", "d")) {
      p.send("in", key, "{\"text\":\"%s\"}".formatted(key), 1);
    }

    assertThat(p.results())
        .containsExactly(
            "a {\"text\":\"a\",\"title\":\"T\"}", "b {\"text\":\"b\",\"title\":\"T\"}");
    assertThat(p.ran).filteredOn("title"::equals).hasSize(2);
  }

  @Test
  void aLimitIsExactOverRestartsAndItsDocumentsKeepTheirWay() {
    Pipeline p = open(ONE_SOURCE + KEEP + "  - limit: 3\n" + TITLE);
    p.send("in", "a", "{\"text\":\"a\"}", 1);
    p.send("in", "b", "{\"text\":\"drop\"}", 2);
    p.send("in", "c", "{\"text\":\"c\"}", 3);
    List<TestRecord<String, byte[]>> records = p.records();
    p.restart();
    p.send("in", "d", "{\"text\":\"fail\"}", 4);
    p.send("in", "e", "{\"text\":\"e\"}", 5);

    assertThat(p.results()).isEmpty();
    assertThat(records)
        .extracting(Pipeline::shown)
        .containsExactly(
            "a {\"text\":\"a\",\"title\":\"T\"}", "c {\"text\":\"c\",\"title\":\"T\"}");
    assertThat(header(records.getFirst(), Headers.COST_USD)).isEqualTo("0.02");
    TestRecord<String, byte[]> letter = p.letters().getFirst();
    assertThat(Pipeline.shown(letter)).isEqualTo("d {\"text\":\"fail\"}");
    assertThat(header(letter, Headers.EXCEPTION_TOPIC)).isEqualTo("in");
    assertThat(header(letter, Headers.COST_USD)).isEqualTo("0.02");
    assertThat(p.filtered()).isEqualTo(2); // one by the filter, one by the limit
  }

  @Test
  void aLimitPerWindowCountsByRecordTimeAndForgetsOldWindows() {
    Pipeline p = open(ONE_SOURCE + "  - limit: 1\n    window: 10s\n");
    p.send("in", "a", "{\"n\":1}", 1);
    p.send("in", "b", "{\"n\":2}", 9);
    p.send("in", "c", "{\"n\":3}", 10);
    p.send("in", "d", "{\"n\":4}", 2);
    p.send("in", "e", "{\"n\":5}", 100_000);
    p.pass(Duration.ofSeconds(1));

    assertThat(p.results()).containsExactly("a {\"n\":1}", "c {\"n\":3}", "e {\"n\":5}");
    assertThat(p.size("limit-counts")).isEqualTo(1);
    assertThat(p.size("limit-local-counts")).isEqualTo(1);
  }

  @Test
  void aPlanOfAnotherOrderTakesOverInEachSegmentForNewDocumentsOnly() {
    Pipeline p = open(ONE_SOURCE + KEEP + TITLE + "  - limit: 10\n" + "  - project: [title]\n");
    p.operator(
        "keep",
        document -> {
          p.activate(2, p.operators("title", "keep", "limit", "project"));
          return List.of(document);
        });
    p.send("in", "a", "{\"text\":\"a\"}", 1);
    p.send("in", "b", "{\"text\":\"b\"}", 2);

    assertThat(p.records())
        .extracting(record -> record.key() + header(record, Headers.PLAN_EPOCH))
        .containsExactlyInAnyOrder("a1", "b2");
    assertThat(p.ran).containsExactly("keep", "title", "title", "keep");
  }

  @Test
  void headersOfTheProgramsOwnAreNotTakenFromUsers() {
    for (String program : List.of(ONE_SOURCE + KEEP, ONE_SOURCE + KEEP + "  - limit: 3\n")) {
      close();
      Pipeline p = open(program);
      p.send("in", "k", "{\"text\":\"t\"}", 1, "abacus-no-more-pairs-of", "abacus-pair-of");

      assertThat(p.results()).containsExactly("k {\"text\":\"t\"}");
    }
  }

  @Test
  void aWatermarkThatCannotBeReadIsADeadLetterAndOthersAreNoDocuments() {
    for (String program : List.of(ONE_SOURCE + KEEP, aggregate("tumbling: 10s", ""))) {
      close();
      Pipeline p = open(program);
      p.watermark("in", "7000");
      assertThat(p.letters()).isEmpty();
      p.watermark("in", "soon");
      assertThat(header(p.letters().getFirst(), Headers.EXCEPTION)).isEqualTo("InvalidWatermark");
      assertThat(p.results()).isEmpty();
    }
  }
}
