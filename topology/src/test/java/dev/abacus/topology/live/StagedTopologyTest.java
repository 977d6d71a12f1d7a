package dev.abacus.topology.live;

import static dev.abacus.topology.live.Pipeline.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.LogicalOperator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of several stages, from their sources to their results. */
class StagedTopologyTest {

  private static final String HEAD =
      """
      program: staged
      sources: { docs: { topic: in }, others: { topic: in2 } }
      results: { topic: out }
      operators:
      """;

  private static final String ONE_SOURCE = HEAD.replace(", others: { topic: in2 }", "");

  /** One output per word. */
  private static final String SPLIT =
      """
        - map: split
          instruction: Split.
          reads: [text]
          writes: { word: string }
          cardinality: many
      """;

  @TempDir Path state;
  private @Nullable Pipeline pipeline;

  @AfterEach
  void close() {
    if (pipeline != null) {
      pipeline.close();
    }
  }

  private Pipeline open(String yaml) {
    Pipeline opened = new Pipeline(state, yaml);
    pipeline = opened;
    return opened
        .operator("split", StagedTopologyTest::words)
        .operator(
            "keep",
            document ->
                document.get("text").asText("").contains("drop") ? List.of() : List.of(document))
        .operator(
            "title",
            document ->
                document.toString().contains("fail")
                    ? null
                    : List.of(document.with("title", TextNode.valueOf("T"))));
  }

  private static List<Document> words(Document document) {
    List<Document> words = new ArrayList<>();
    for (String word : document.get("text").asText().split(" ", -1)) {
      words.add(document.with("word", TextNode.valueOf(word)));
    }
    return words;
  }

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

  private static final String TITLE =
      """
        - map: title
          instruction: Give it a title.
          reads: [text]
          writes: { title: string }
      """;

  private static final String KEEP =
      """
        - filter: keep
          condition: Keep it.
          reads: [text]
      """;

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
  void aPlanRunsAFilterBelowTheJoinOfStreamsBehindWhichItIsWritten() {
    Pipeline p =
        open(HEAD + "  - { join: pairs, input: docs, with: others, within: 10s, on: k }\n" + KEEP);
    List<LogicalOperator> written = p.operators("pairs", "keep");
    p.activate(
        2,
        List.of(
            written.get(1).withInputs(List.of("docs")),
            written.get(0).withInputs(List.of("keep", "others"))));
    p.send("in", "a", "{\"text\":\"drop\",\"k\":1}", 1);
    p.send("in", "b", "{\"text\":\"b\",\"k\":1}", 2);
    for (String key : List.of("x", "y", "z")) {
      p.send("in2", key, "{\"k\":1}", 3);
    }

    assertThat(p.results()).hasSize(3).allMatch(result -> result.startsWith("b#"));
    assertThat(p.ran).filteredOn("keep"::equals).hasSize(2);
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

  private static String aggregate(String window, String more) {
    return ONE_SOURCE
        + """
          - aggregate: daily
            by: [who]
            window: { WINDOW }
            compute: { n: count, total: sum(x), mean: avg(x), least: min(x), all: list(x) }
        MORE
        """
            .replace("WINDOW", window)
            .replace("MORE", more);
  }

  @Test
  void anAggregateLeavesOnceWhenItsWindowCloses() {
    Pipeline p = open(aggregate("tumbling: 10s, grace: 5s", ""));
    p.send("in", "1", "{\"who\":\"ann\",\"x\":1}", 1);
    p.send("in", "2", "{\"who\":\"ann\",\"x\":0.5}", 9);
    p.send("in", "3", "{\"who\":\"bob\"}", 12);
    p.pass(Duration.ofSeconds(1));
    assertThat(p.results()).isEmpty();
    p.restart();
    p.send("in", "4", "{\"who\":\"ann\",\"x\":2}", 3);
    p.send("in", "5", "{\"who\":7,\"x\":3}", 15);
    p.pass(Duration.ofSeconds(1));

    List<TestRecord<String, byte[]>> records = p.records();
    assertThat(records)
        .extracting(Pipeline::shown)
        .containsExactly(
            "ann {\"who\":\"ann\",\"n\":3,\"total\":3.5,\"mean\":1.166666666666667,\"least\":0.5,\"all\":[1,0.5,2]}");
    assertThat(records.getFirst().timestamp()).isEqualTo(9_999);
    assertThat(header(records.getFirst(), Headers.WINDOW_START)).isEqualTo("0");
    assertThat(header(records.getFirst(), Headers.WINDOW_END)).isEqualTo("10000");
    p.watermark("in", 1000);
    assertThat(p.results())
        .containsExactly(
            "7 {\"who\":7,\"n\":1,\"total\":3,\"mean\":3,\"least\":3,\"all\":[3]}",
            "bob {\"who\":\"bob\",\"n\":1,\"total\":0,\"mean\":null,\"least\":null,\"all\":[]}");
    assertThat(p.size("daily-panes", "daily-closings", "daily-members")).isZero();
  }

  @Test
  void lateDocumentsAndThoseWithoutANumberAreDeadLetters() {
    Pipeline p = open(aggregate("tumbling: 10s", ""));
    p.send("in", "1", "{\"who\":\"ann\",\"x\":1}", 25);
    p.pass(Duration.ofSeconds(1));
    p.send("in", "2", "{\"who\":\"ann\",\"x\":1}", 9);
    p.send("in", "3", "{\"who\":\"ann\",\"x\":\"many\"}", 26);

    List<TestRecord<String, byte[]>> letters = p.letters();
    assertThat(letters)
        .extracting(letter -> header(letter, Headers.EXCEPTION))
        .containsExactly("LateDocument", "NotANumber");
    assertThat(header(letters.get(1), Headers.EXCEPTION_MESSAGE))
        .isEqualTo("sum(x) needs a number, but 'x' is \"many\"");
    assertThat(header(letters.get(1), Headers.SOURCE)).isNull();
    assertThat(header(letters.get(1), Headers.EXCEPTION_OFFSET)).isEqualTo("2");
  }

  @Test
  void lateDocumentsAreDroppedAndCountedIfTheProgramSaysSo() {
    Pipeline p = open(aggregate("tumbling: 10s", "    late: drop"));
    p.send("in", "1", "{\"who\":\"ann\",\"x\":1}", 25);
    p.pass(Duration.ofSeconds(1));
    p.send("in", "2", "{\"who\":\"ann\",\"x\":1}", 9);

    assertThat(p.letters()).isEmpty();
    assertThat(p.filtered()).isEqualTo(1);
  }

  @Test
  void hoppingWindowsOverlap() {
    Pipeline p = open(aggregate("hopping: 10s, advance: 5s", ""));
    p.send("in", "1", "{\"who\":\"ann\",\"x\":1}", 12);
    p.watermark("in", 100);

    assertThat(p.records())
        .extracting(record -> header(record, Headers.WINDOW_START))
        .containsExactly("5000", "10000");
  }

  @Test
  void sessionsGrowAndGrowTogether() {
    Pipeline p = open(aggregate("session: 10s", ""));
    p.send("in", "1", "{\"who\":\"ann\",\"x\":1}", 0);
    p.send("in", "2", "{\"who\":\"ann\",\"x\":2}", 15);
    p.send("in", "3", "{\"who\":\"ann\",\"x\":3}", 8);
    p.send("in", "4", "{\"who\":\"ann\",\"x\":4}", 40);
    p.watermark("in", 100);

    List<TestRecord<String, byte[]>> records = p.records();
    assertThat(records)
        .extracting(record -> header(record, Headers.WINDOW_END))
        .containsExactly("15000", "40000");
    assertThat(Pipeline.shown(records.getFirst())).contains("\"n\":3,\"total\":6");
    assertThat(p.size("daily-panes", "daily-closings", "daily-members")).isZero();
  }

  @Test
  void documentsStillUnderWayAreNotLate() {
    Pipeline p =
        open(ONE_SOURCE + KEEP + aggregate("tumbling: 10s", "").substring(ONE_SOURCE.length()));
    p.hold = true;
    p.send("in", "1", "{\"who\":\"ann\",\"text\":\"\",\"x\":1}", 1);
    p.send("in", "2", "{\"who\":\"ann\",\"text\":\"\",\"x\":2}", 500);
    p.pass(Duration.ofSeconds(1));
    p.release(); // the second one first
    p.pass(Duration.ofSeconds(1));

    assertThat(p.letters()).isEmpty();
    assertThat(p.results()).singleElement().asString().contains("\"n\":1,\"total\":1");
  }

  private static final String SEMANTIC =
      ONE_SOURCE
          + """
            - aggregate: daily
              by: [who]
              window: { tumbling: 10s }
              instruction: Summarise.
              reads: [text]
              writes: { summary: string }
              compute: { n: count }
            - map: title
              instruction: Give it a title.
              writes: { title: string }
          """;

  private static List<Document> summary(Document group) {
    List<String> texts = new ArrayList<>();
    group.get("members").forEach(member -> texts.add(member.path("text").asText()));
    var rest = group.toJson().put("summary", String.join("+", texts));
    rest.remove("members");
    return List.of(Document.of(rest));
  }

  @Test
  void aModelReadsAGroupWhenItClosesUnderTheEpochOfThatTime() {
    Pipeline p = open(SEMANTIC).operator("daily", StagedTopologyTest::summary);
    p.send("in", "1", "{\"who\":\"ann\",\"text\":\"a\",\"secret\":1}", 1);
    p.send("in", "2", "{\"who\":\"ann\",\"text\":\"b\"}", 2);
    p.activate(2, p.operators("daily", "title"));
    p.restart();
    p.hold = true;
    p.watermark("in", 10);
    p.restart(); // the group is under way
    p.pass(Duration.ofSeconds(1));

    List<TestRecord<String, byte[]>> records = p.records();
    assertThat(records)
        .extracting(Pipeline::shown)
        .containsExactly("ann {\"who\":\"ann\",\"n\":2,\"summary\":\"a+b\",\"title\":\"T\"}");
    assertThat(header(records.getFirst(), Headers.PLAN_EPOCH)).isEqualTo("2");
    assertThat(header(records.getFirst(), Headers.COST_USD)).isEqualTo("0.02");
    assertThat(header(records.getFirst(), Headers.SOURCE)).isNull();
  }

  @Test
  void aGroupTooLargeToPassOnComesBackInDeadLettersWithAllItsMembers() {
    Pipeline p = open(SEMANTIC).operator("daily", StagedTopologyTest::summary);
    for (int i = 0; i < 5; i++) {
      p.send("in", "k" + i, "{\"who\":\"ann\",\"text\":\"" + i + "x".repeat(6000) + "\"}", 1);
    }
    p.watermark("in", 10);

    List<TestRecord<String, byte[]>> letters = p.letters();
    assertThat(letters)
        .allSatisfy(letter -> {
          assertThat(letter.key()).isEqualTo("ann");
          assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("GroupTooLarge");
          assertThat(header(letter, Headers.EXCEPTION_MESSAGE))
              .startsWith("the group has 5 members of");
        });
    assertThat(letters)
        .flatExtracting(letter -> members(Pipeline.shown(letter)))
        .containsExactly("0", "1", "2", "3", "4");
    assertThat(header(letters.getLast(), Headers.EXCEPTION_MESSAGE)).endsWith("to 5");
  }

  /** The digit that each member's text begins with. */
  private static List<String> members(String shown) {
    return Pattern.compile("\"text\":\"(\\d)x")
        .matcher(shown)
        .results()
        .map(m -> m.group(1))
        .toList();
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

  private static String join(String more) {
    return HEAD
        + """
          - join: both
            input: docs
            with: others
            within: 10s
            into: other
        MORE
        """
            .replace("MORE", more);
  }

  @Test
  void streamsAreJoinedOnEqualKeysWithinTheWindowAlsoOverARestart() {
    Pipeline p = open(join("    on: id"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.restart();
    p.send("in2", "r1", "{\"id\":1.0,\"r\":1}", 20);
    p.send("in2", "r2", "{\"id\":1,\"r\":2}", 21);
    p.send("in2", "r3", "{\"id\":2,\"r\":3}", 12);
    p.send("in2", "r4", "{\"r\":4}", 12);
    p.send("in", "l2", "{\"id\":2}", 5);

    assertThat(p.results())
        .containsExactly(
            "l1#r1 {\"id\":1,\"other\":{\"id\":1.0,\"r\":1}}",
            "l2#r3 {\"id\":2,\"other\":{\"id\":2,\"r\":3}}");
    p.watermark("in", 1000);
    p.watermark("in2", 1000);
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
    p.send("in", "l3", "{\"id\":1}", 5);
    assertThat(header(p.letters().getFirst(), Headers.EXCEPTION)).isEqualTo("LateDocument");
  }

  @Test
  void aLeftJoinSendsADocumentAloneOnceItsWindowHasPassed() {
    Pipeline p = open(join("    on: id\n    kind: left"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.send("in", "l2", "{\"id\":2}", 10);
    p.send("in", "l3", "{}", 10);
    p.send("in2", "r", "{\"id\":2}", 10);
    assertThat(p.results()).containsExactly("l3 {}", "l2#r {\"id\":2,\"other\":{\"id\":2}}");
    p.watermark("in", 100);
    assertThat(p.results()).isEmpty(); // the right side may still have something
    p.restart();
    p.watermark("in2", 20);
    assertThat(p.results()).isEmpty();
    p.watermark("in2", 21);
    assertThat(p.results()).containsExactly("l1 {\"id\":1}");
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
  }

  @Test
  void anIdleStreamDoesNotHoldTheOtherUpForEver() {
    Pipeline p = open(join("    on: id\n    kind: left"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.send("in", "l2", "{\"id\":2}", 100);
    p.pass(Duration.ofSeconds(2));
    assertThat(p.results()).isEmpty();
    p.send("in", "l3", "{\"id\":2}", 101);
    for (int i = 0; i < 150; i++) {
      p.pass(Duration.ofMillis(500));
    }
    assertThat(p.results()).containsExactly("l1 {\"id\":1}");
  }

  @Test
  void aModelDecidesPairsAndALeftDocumentWithoutAMatchGoesAlone() {
    Pipeline p = open(join("    condition: They fit.\n    kind: left"));
    p.operator(
        "both",
        pair ->
            switch (pair.get("n").intValue() + pair.get("other").path("n").intValue()) {
              case 11 -> List.of(pair);
              case 33 -> null;
              default -> List.of();
            });
    p.hold = true;
    p.send("in", "l1", "{\"n\":1}", 10);
    p.send("in", "l2", "{\"n\":2}", 10);
    p.send("in", "l3", "{\"n\":3}", 10);
    p.send("in2", "r1", "{\"n\":10}", 10);
    p.send("in2", "r3", "{\"n\":30}", 11);
    p.watermark("in", 100);
    p.watermark("in2", 100);
    assertThat(p.results()).isEmpty();
    p.restart();
    p.tick();

    assertThat(p.results())
        .containsExactlyInAnyOrder("l1#r1 {\"n\":1,\"other\":{\"n\":10}}", "l2 {\"n\":2}");
    TestRecord<String, byte[]> letter = p.letters().getFirst();
    assertThat(letter.key()).isEqualTo("l3#r3");
    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("both");
    assertThat(p.ran).hasSize(6);
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
    assertThat(p.size("unmatched-both-matched")).isZero();
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
  void aSourceThatGoesTwoWaysIsStampedOnce() {
    Pipeline p =
        open(
            ONE_SOURCE
                + """
                  - filter: keep
                    input: docs
                    condition: Keep it.
                    reads: [text]
                  - map: title
                    input: docs
                    instruction: Give it a title.
                    writes: { title: string }
                  - join: both
                    input: keep
                    with: title
                    within: 1s
                    on: id
                """);
    p.send("in", "k", "{\"id\":1,\"text\":\"t\"}", 1);

    assertThat(p.results())
        .containsExactly(
            "k#k {\"id\":1,\"text\":\"t\",\"title\":{\"id\":1,\"text\":\"t\",\"title\":\"T\"}}");
    assertThat(p.cost()).isCloseTo(0.02, within(1e-9));
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
