package dev.abacus.topology.live;

import static dev.abacus.topology.live.Pipeline.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/**
 * Aggregates of programs of several stages: windows, late documents, and groups that a model reads.
 */
class StagedAggregatesTest extends StagedFixture {

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

  /** The digit that each member's text begins with. */
  private static List<String> members(String shown) {
    return Pattern.compile("\"text\":\"(\\d)x")
        .matcher(shown)
        .results()
        .map(m -> m.group(1))
        .toList();
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

  @Test
  void aModelReadsAGroupWhenItClosesUnderTheEpochOfThatTime() {
    Pipeline p = open(SEMANTIC).operator("daily", StagedAggregatesTest::summary);
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
    Pipeline p = open(SEMANTIC).operator("daily", StagedAggregatesTest::summary);
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
}
