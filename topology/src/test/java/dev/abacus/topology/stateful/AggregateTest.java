package dev.abacus.topology.stateful;

import static dev.abacus.topology.stateful.OperatorDriver.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Window;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregateTest {

  private static final Window TUMBLING = new Window.Tumbling(seconds(10), seconds(5));
  private static final Window SESSION = new Window.Session(seconds(10), Duration.ZERO);
  private static final String[] STORES = {"panes", "closings", "members"};

  @TempDir Path directory;
  private @Nullable OperatorDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private OperatorDriver open(Window window, LateDocuments late, String... computations) {
    Map<String, Computation> compute = new LinkedHashMap<>();
    for (String computation : computations) {
      Computation parsed = Computation.parse(computation);
      compute.put(parsed.function().label(), parsed);
    }
    Aggregate aggregate =
        new Aggregate(
            "sums",
            "docs",
            List.of("who"),
            window,
            null,
            List.of(),
            List.of(),
            compute,
            late,
            null);
    OperatorDriver opened = new OperatorDriver(directory, aggregate, 1);
    driver = opened;
    return opened;
  }

  private static void send(OperatorDriver aggregate, String who, long x, long timestamp) {
    aggregate.send("k" + x, "{\"who\":\"%s\",\"x\":%d}".formatted(who, x), timestamp);
  }

  @Test
  void reportsTheGroupsOfClosedWindowsWithTheirDocuments() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    for (int i = 0; i < 6; i++) {
      send(aggregate, i % 2 == 0 ? "ann" : "bob", i, i);
    }
    send(aggregate, "ann", 7, 10_000);
    assertThat(aggregate.flows()).as("open windows").isEmpty();
    aggregate.watermark(15_000);

    assertThat(aggregate.flows()).containsExactly(new OperatorFlow("sums", 6, 2));
  }

  @Test
  void forwardsAGroupOnceWhenItsWindowAndGraceHavePassed() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count", "sum(x)");
    send(aggregate, "ann", 1, 0);
    send(aggregate, "ann", 2, 9_999);
    send(aggregate, "ann", 4, 10_000);
    aggregate.watermark(14_999);
    assertThat(aggregate.documents()).isEmpty();
    aggregate.watermark(15_000);

    List<TestRecord<byte[], byte[]>> records = aggregate.records();
    assertThat(records)
        .extracting(OperatorDriver::shown)
        .containsExactly("ann {\"who\":\"ann\",\"count\":2,\"sum\":3}");
    assertThat(records.getFirst().timestamp()).isEqualTo(9_999);
    assertThat(header(records.getFirst(), Headers.WINDOW_START)).isEqualTo("0");
    assertThat(header(records.getFirst(), Headers.WINDOW_END)).isEqualTo("10000");
    Provenance provenance = Envelope.read(records.getFirst().value()).provenance();
    assertThat(provenance.cost()).isCloseTo(0.02, within(1e-9));
    assertThat(provenance.isGroup()).isTrue();

    aggregate.watermark(100_000);
    assertThat(aggregate.documents())
        .containsExactly("ann {\"who\":\"ann\",\"count\":1,\"sum\":4}");
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void forwardsAWatermarkBehindTheGroupsThatItCloses() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    aggregate.watermark(4_000);
    aggregate.watermark(15_000);

    assertThat(aggregate.watermarks()).containsExactly(-1L, 10_000L);
  }

  @Test
  void takesADocumentWithinTheGracePeriodAndNoLater() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    aggregate.watermark(14_999);
    send(aggregate, "ann", 1, 5);
    aggregate.watermark(15_000);
    send(aggregate, "ann", 2, 6);

    assertThat(aggregate.documents()).containsExactly("ann {\"who\":\"ann\",\"count\":1}");
    TestRecord<byte[], byte[]> letter = aggregate.deadLetters().getFirst();
    assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("LateDocument");
    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("sums");
    assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("6");
    assertThat(new String(letter.value(), StandardCharsets.UTF_8)).isEqualTo("original of k2");
    assertThat(aggregate.dropped()).isZero();
  }

  @Test
  void dropsALateDocumentIfTheProgramSaysSo() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DROP, "count");
    aggregate.watermark(15_000);
    send(aggregate, "ann", 1, 5);

    assertThat(aggregate.deadLetters()).isEmpty();
    assertThat(aggregate.dropped()).isEqualTo(1);
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void addsADocumentToItsOpenHoppingWindowsOnly() {
    Window hopping = new Window.Hopping(seconds(10), seconds(5), Duration.ZERO);
    OperatorDriver aggregate = open(hopping, LateDocuments.DEAD_LETTER, "count");
    aggregate.watermark(10_000);
    send(aggregate, "ann", 1, 7_000); // of [0, 10 s), which is closed, and of [5 s, 15 s)
    aggregate.watermark(100_000);

    assertThat(aggregate.records())
        .extracting(record -> header(record, Headers.WINDOW_START))
        .containsExactly("5000");
    assertThat(aggregate.deadLetters()).isEmpty();
  }

  @Test
  void closesPanesInTheOrderOfTheirEnds() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    send(aggregate, "ann", 1, 25_000);
    send(aggregate, "bob-with-a-long-name", 2, 5_000);
    send(aggregate, "cleo", 3, 15_000);
    aggregate.watermark(100_000);

    assertThat(aggregate.records())
        .extracting(record -> header(record, Headers.WINDOW_START))
        .containsExactly("0", "10000", "20000");
  }

  @Test
  void closesMorePanesThanOneBatch() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    for (int i = 0; i < 250; i++) {
      send(aggregate, "g" + i, i, 5);
    }
    aggregate.watermark(100_000);

    assertThat(aggregate.documents()).hasSize(250).doesNotHaveDuplicates();
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void keepsPanesAndMembersAcrossARestart() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count", "list(x)");
    send(aggregate, "ann", 1, 5);
    send(aggregate, "bob", 2, 5);
    aggregate.restart();
    send(aggregate, "cleo", 3, 5);
    send(aggregate, "ann", 4, 6);
    send(aggregate, "ann", 5, 15_000);
    aggregate.restart();
    aggregate.watermark(15_000);

    assertThat(aggregate.documents())
        .containsExactlyInAnyOrder(
            "ann {\"who\":\"ann\",\"count\":2,\"list\":[1,4]}",
            "bob {\"who\":\"bob\",\"count\":1,\"list\":[2]}",
            "cleo {\"who\":\"cleo\",\"count\":1,\"list\":[3]}");
    aggregate.restart();
    send(aggregate, "ann", 6, 16_000);
    aggregate.watermark(100_000);
    assertThat(aggregate.documents())
        .containsExactly("ann {\"who\":\"ann\",\"count\":2,\"list\":[5,6]}");
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void countsDifferentValuesAcrossARestart() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count", "distinct(x)");
    send(aggregate, "ann", 1, 5);
    send(aggregate, "ann", 1, 6);
    aggregate.restart();
    send(aggregate, "ann", 2, 7);
    send(aggregate, "ann", 2, 8);
    aggregate.watermark(100_000);

    assertThat(aggregate.documents())
        .containsExactly("ann {\"who\":\"ann\",\"count\":4,\"distinct\":2}");
  }

  @Test
  void storesMembersOnlyIfSomethingNeedsThem() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count", "sum(x)");
    send(aggregate, "ann", 1, 5);

    assertThat(aggregate.size("members")).isZero();
    assertThat(aggregate.size("panes")).isEqualTo(1);
  }

  @Test
  void groupsEqualNumbersTogetherAndKeepsAllTheirDigits() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count");
    aggregate.send("a", "{\"who\":0.12345678901234567890123}", 1);
    aggregate.send("b", "{\"who\":0.123456789012345678901230}", 1);
    aggregate.send("c", "{\"who\":0.12345678901234567890124}", 1);
    aggregate.restart();
    aggregate.watermark(100_000);

    assertThat(aggregate.documents())
        .containsExactlyInAnyOrder(
            "0.12345678901234567890123 {\"who\":0.12345678901234567890123,\"count\":2}",
            "0.12345678901234567890124 {\"who\":0.12345678901234567890124,\"count\":1}");
  }

  @Test
  void aDocumentWithoutANumberIsADeadLetterAndChangesNoGroup() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "count", "sum(x)");
    aggregate.send("k", "{\"who\":\"ann\",\"x\":\"many\"}", 5);

    assertThat(aggregate.deadLetters())
        .extracting(letter -> header(letter, Headers.EXCEPTION))
        .containsExactly("NotANumber");
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void aDocumentConnectsTheSessionsOnItsBothSides() {
    OperatorDriver aggregate = open(SESSION, LateDocuments.DEAD_LETTER, "count", "list(x)");
    send(aggregate, "ann", 1, 20_000);
    send(aggregate, "ann", 2, 40_000);
    send(aggregate, "bob", 3, 30_000);
    aggregate.restart();
    send(aggregate, "ann", 4, 30_000); // exactly one gap from both
    aggregate.watermark(50_000);
    assertThat(aggregate.documents())
        .containsExactly("bob {\"who\":\"bob\",\"count\":1,\"list\":[3]}");
    aggregate.watermark(50_001);

    List<TestRecord<byte[], byte[]>> records = aggregate.records();
    assertThat(records)
        .extracting(OperatorDriver::shown)
        .containsExactly("ann {\"who\":\"ann\",\"count\":3,\"list\":[1,2,4]}");
    assertThat(records.getFirst().timestamp()).isEqualTo(40_000);
    assertThat(header(records.getFirst(), Headers.WINDOW_START)).isEqualTo("20000");
    assertThat(header(records.getFirst(), Headers.WINDOW_END)).isEqualTo("40000");
    assertThat(aggregate.size(STORES)).isZero();
  }

  @Test
  void aDocumentMoreThanOneGapAwayOpensASessionOfItsOwn() {
    OperatorDriver aggregate = open(SESSION, LateDocuments.DEAD_LETTER, "count");
    send(aggregate, "ann", 1, 20_000);
    send(aggregate, "ann", 2, 30_001);
    aggregate.watermark(100_000);

    assertThat(aggregate.documents()).hasSize(2);
  }

  @Test
  void aSessionTakesADocumentUntilItCloses() {
    OperatorDriver aggregate = open(SESSION, LateDocuments.DEAD_LETTER, "count");
    aggregate.watermark(30_000);
    send(aggregate, "ann", 1, 20_000);
    aggregate.watermark(30_001);
    send(aggregate, "ann", 2, 20_000);

    assertThat(aggregate.documents()).hasSize(1);
    assertThat(aggregate.deadLetters()).hasSize(1);
    assertThat(aggregate.watermarks()).containsExactly(20_000L, 20_001L);
  }

  @Test
  void aGroupLargerThanARecordBecomesDeadLettersWithAllItsMembers() {
    OperatorDriver aggregate = open(TUMBLING, LateDocuments.DEAD_LETTER, "list(x)");
    for (int i = 0; i < 6; i++) {
      String text = i + "x".repeat(900);
      aggregate.send("k", "{\"who\":\"ann\",\"x\":\"%s\"}".formatted(text), 5);
    }
    aggregate.watermark(100_000);

    assertThat(aggregate.documents()).isEmpty();
    List<TestRecord<byte[], byte[]>> letters = aggregate.deadLetters();
    assertThat(letters).hasSize(3);
    assertThat(letters)
        .allSatisfy(letter -> {
          assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("GroupTooLarge");
          assertThat(letter.value().length).isLessThan(OperatorDriver.RECORD_LIMIT);
        });
    assertThat(letters.stream().map(letter -> new String(letter.value(), StandardCharsets.UTF_8)))
        .satisfiesExactly(
            first -> assertThat(first).contains("\"0x", "\"1x"),
            second -> assertThat(second).contains("\"2x", "\"3x"),
            third -> assertThat(third).contains("\"4x", "\"5x"));
    assertThat(header(letters.getLast(), Headers.EXCEPTION_MESSAGE)).endsWith("5 to 6");
    assertThat(aggregate.size(STORES)).isZero();
  }
}
