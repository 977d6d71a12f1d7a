package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.Headers;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** The event time of a document is that of a field, in windows as in results. */
class EventTimesTest extends StagedFixture {

  /** When the records were produced, in seconds. */
  private static final long NOW = 1_000_000;

  private Pipeline grouping(String time) {
    return open(program(time, aggregate("tumbling: 10s", "")));
  }

  private static String program(String time, String operators) {
    return operators.replace("{ topic: in }", "{ topic: in, time: " + time + " }");
  }

  private static void send(Pipeline p, String key, String sent) {
    p.send(
        "in",
        key,
        "{\"who\":\"ann\",\"x\":1,\"text\":\"%s\"%s}"
            .formatted(key, sent.isEmpty() ? "" : ",\"sent\":" + sent),
        NOW);
  }

  @Test
  void windowsCloseByTheTimeThatDocumentsState() {
    Pipeline p = grouping("sent");
    send(p, "a", "3");
    send(p, "b", "\"1970-01-01T00:00:14Z\"");
    send(p, "c", "9");

    p.watermark("in", 10);
    assertThat(p.results()).singleElement().asString().contains("\"n\":2");
    p.watermark("in", 20);
    assertThat(p.results()).singleElement().asString().contains("\"n\":1");
    send(p, "late", "5");

    TestRecord<String, byte[]> letter = p.letters().getFirst();
    assertThat(Pipeline.header(letter, Headers.EXCEPTION)).isEqualTo("LateDocument");
  }

  @Test
  void aDocumentWithoutAValidTimeIsOneDeadLetterAndMovesNoTime() {
    Pipeline p = grouping("sent");
    send(p, "a", "3");
    send(p, "none", "");
    send(p, "absurd", "4102444800");
    p.send("in", "broken", "{", NOW);
    send(p, "b", "4");
    p.watermark("in", 10);

    assertThat(p.results()).singleElement().asString().contains("\"n\":2");
    List<TestRecord<String, byte[]>> letters = p.letters();
    assertThat(letters)
        .extracting(letter -> letter.key() + " " + Pipeline.header(letter, Headers.EXCEPTION))
        .containsExactlyInAnyOrder(
            "none InvalidDocument", "absurd InvalidDocument", "broken InvalidDocument");
    assertThat(letters)
        .filteredOn(letter -> letter.key().equals("absurd"))
        .singleElement()
        .satisfies(letter -> {
          assertThat(new String(letter.value(), UTF_8)).contains("4102444800");
          assertThat(Pipeline.header(letter, Headers.EXCEPTION_MESSAGE))
              .contains("more than a day after the record");
          assertThat(Pipeline.header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("2");
        });
  }

  @Test
  void theRecordMayTakeThePlaceOfTheField() {
    Pipeline p = grouping("{ field: sent, otherwise: record-time }");
    send(p, "a", "");
    p.watermark("in", NOW + 10);

    assertThat(p.results()).singleElement().asString().contains("\"n\":1");
    assertThat(p.letters()).isEmpty();
  }

  @Test
  void resultsHaveTheTimeOfTheirDocumentsAndDeadLettersTheirOwn() {
    Pipeline p = open(program("sent", ONE_SOURCE + TITLE));
    send(p, "a", "3");
    send(p, "fail", "4");
    send(p, "none", "");

    assertThat(p.records()).extracting(TestRecord::getRecordTime).containsExactly(at(3));
    assertThat(p.letters())
        .hasSize(2)
        .allSatisfy(letter -> assertThat(letter.getRecordTime()).isAfter(at(NOW)));
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }
}
