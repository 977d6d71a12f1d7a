package dev.abacus.topology.stateful;

import static dev.abacus.topology.stateful.OperatorDriver.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.SortField;
import dev.abacus.topology.codec.Envelope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit with an order: the first documents of each window by their fields. */
class OrderedLimitTest {

  @TempDir Path directory;
  private @Nullable OperatorDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  /** A limit per ten seconds, with five seconds of grace. */
  private OperatorDriver open(long count, String... order) {
    Limit limit =
        new Limit(
            "top",
            "docs",
            count,
            Duration.ofSeconds(10),
            Arrays.stream(order).map(SortField::parse).toList(),
            Duration.ofSeconds(5),
            null);
    OperatorDriver opened = new OperatorDriver(directory, limit, 1);
    driver = opened;
    return opened;
  }

  @Test
  void forwardsTheLargestOfAWindowInTheirOrderWhenItCloses() {
    OperatorDriver limit = open(2, "n desc");
    limit.send("a", "{\"n\":1}", 1);
    limit.send("b", "{\"n\":30}", 2);
    limit.send("c", "{\"n\":4}", 9_999);
    limit.send("d", "{\"n\":99}", 10_000);
    limit.watermark(14_999);
    assertThat(limit.documents()).isEmpty();
    limit.watermark(15_000);

    List<TestRecord<byte[], byte[]>> first = limit.records();
    assertThat(first.stream().map(OperatorDriver::shown))
        .containsExactly("b {\"n\":30}", "c {\"n\":4}");
    assertThat(first.stream().map(TestRecord::timestamp)).containsExactly(2L, 9_999L);
    assertThat(limit.dropped()).isEqualTo(1);
    assertThat(limit.flows()).containsExactly(new OperatorFlow("top", 4, 2));
    limit.watermark(25_000);
    assertThat(limit.documents()).containsExactly("d {\"n\":99}");
  }

  @Test
  void ordersNumbersTextsBooleansAndMissingValuesInThisOrder() {
    String[] values = {
      "-1e300",
      "-12.5",
      "-12",
      "-3e-7",
      "0",
      "3e-7",
      "1",
      "1.5",
      "12",
      "1e300",
      "\"\"",
      "\"B\"",
      "\"a\"",
      "\"a\\u0000\"",
      "\"ab\"",
      "\"ä\"",
      "\"\uD83D\uDE00\"",
      "false",
      "true"
    };
    OperatorDriver ascending = open(100, "v", "n");
    sendShuffled(ascending, values);
    assertThat(sorted(ascending)).containsExactly(values);
    ascending.close();

    OperatorDriver descending = open(100, "v desc", "n");
    sendShuffled(descending, values);
    assertThat(sorted(descending).reversed()).containsExactly(values);
  }

  private static void sendShuffled(OperatorDriver limit, String... values) {
    limit.send("none", "{\"n\":1}", 1);
    limit.send("null", "{\"n\":2,\"v\":null}", 1);
    for (int i = 0; i < values.length; i++) {
      String value = values[i * 7 % values.length];
      limit.send("k", "{\"v\":%s}".formatted(value), 1);
    }
    limit.watermark(15_000);
  }

  /** The values as text, without those of the last two documents, which have none. */
  private static List<String> sorted(OperatorDriver limit) {
    List<TestRecord<byte[], byte[]>> records = limit.records();
    int present = records.size() - 2;
    assertThat(records.subList(present, records.size()).stream().map(OperatorDriver::shown))
        .containsExactly("none {\"n\":1}", "null {\"n\":2,\"v\":null}");
    return records.subList(0, present).stream()
        .map(record -> Envelope.read(record.value()).document().get("v").toString())
        .map(text -> text.replaceFirst("(\\.0)?E\\+?", "e"))
        .toList();
  }

  @Test
  void furtherFieldsThenTheKeyThenArrivalDecideBetweenEqualDocuments() {
    OperatorDriver limit = open(5, "n", "day desc");
    limit.send("b", "{\"n\":1,\"day\":\"2026-01-01\"}", 1);
    limit.send("z", "{\"n\":1.0,\"day\":\"2026-01-02\"}", 3);
    limit.send("a", "{\"n\":1,\"day\":\"2026-01-01\",\"again\":1}", 2);
    limit.send("a", "{\"n\":1,\"day\":\"2026-01-01\",\"again\":2}", 1);
    limit.watermark(15_000);

    assertThat(limit.documents())
        .containsExactly(
            "z {\"n\":1.0,\"day\":\"2026-01-02\"}",
            "a {\"n\":1,\"day\":\"2026-01-01\",\"again\":1}",
            "a {\"n\":1,\"day\":\"2026-01-01\",\"again\":2}",
            "b {\"n\":1,\"day\":\"2026-01-01\"}");
  }

  @Test
  void whatHasNoOrderIsADeadLetter() {
    OperatorDriver limit = open(5, "n");
    limit.send("a", "{\"n\":[1]}", 1);

    assertThat(limit.deadLetters())
        .singleElement()
        .satisfies(letter ->
            assertThat(header(letter, "__streams.errors.message")).contains("'n'", "list"));
    limit.watermark(15_000);
    assertThat(limit.documents()).isEmpty();
  }

  @Test
  void aDocumentOfAClosedWindowIsADeadLetter() {
    OperatorDriver limit = open(1, "n");
    limit.watermark(15_000);
    limit.send("late", "{\"n\":1}", 9_999);
    limit.send("early", "{\"n\":1}", 10_000);
    limit.watermark(25_000);

    assertThat(limit.deadLetters()).hasSize(1);
    assertThat(limit.documents()).containsExactly("early {\"n\":1}");
    assertThat(limit.watermarks()).containsExactly(10_000L, 20_000L);
  }
}
