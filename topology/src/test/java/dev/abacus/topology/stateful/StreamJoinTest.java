package dev.abacus.topology.stateful;

import static dev.abacus.topology.stateful.OperatorDriver.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamJoinTest {

  private static final int LEFT = 0;
  private static final int RIGHT = 1;
  private static final String[] STORES = {"documents", "expiries", "matched"};

  @TempDir Path directory;
  private @Nullable OperatorDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  /** A join within ten seconds. */
  private OperatorDriver open(JoinKind kind, @Nullable String on, @Nullable String condition) {
    StreamJoin join =
        new StreamJoin(
            "both",
            "left",
            "right",
            Duration.ofSeconds(10),
            on,
            condition,
            List.of(),
            kind,
            "other",
            null);
    OperatorDriver opened = new OperatorDriver(directory, join, 1, 1);
    driver = opened;
    return opened;
  }

  private OperatorDriver open(JoinKind kind) {
    return open(kind, "id", null);
  }

  private static void watermarks(OperatorDriver join, long time) {
    join.watermark(LEFT, 0, time);
    join.watermark(RIGHT, 0, time);
  }

  @Test
  void pairsDocumentsWhoseTimestampsDifferByAtMostTheWindow() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(LEFT, "l", "{\"id\":1}", 20_000);
    join.send(RIGHT, "r1", "{\"id\":1}", 9_999);
    join.send(RIGHT, "r2", "{\"id\":1}", 10_000);
    join.send(RIGHT, "r3", "{\"id\":1}", 30_000);
    join.send(RIGHT, "r4", "{\"id\":1}", 30_001);

    List<TestRecord<byte[], byte[]>> records = join.records();
    assertThat(records)
        .extracting(OperatorDriver::shown)
        .containsExactly(
            "l#r2 {\"id\":1,\"other\":{\"id\":1}}", "l#r3 {\"id\":1,\"other\":{\"id\":1}}");
    assertThat(records).extracting(TestRecord::timestamp).containsExactly(20_000L, 30_000L);
    Provenance provenance = Envelope.read(records.getFirst().value()).provenance();
    assertThat(provenance.source()).isEqualTo("topic-0-0@20000");
    assertThat(provenance.cost()).isCloseTo(0.02, within(1e-9));
  }

  @Test
  void reportsThePairsOfLeftDocumentsThatCanFindNoMore() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(RIGHT, "r1", "{\"id\":1}", 20_000);
    join.send(LEFT, "l1", "{\"id\":1}", 20_000);
    join.send(LEFT, "l2", "{\"id\":2}", 20_000);
    join.send(LEFT, "none", "{}", 20_000);
    join.send(RIGHT, "r2", "{\"id\":1}", 20_001);
    join.send(LEFT, "open", "{\"id\":1}", 25_000);
    assertThat(join.flows())
        .as("documents that are buffered")
        .singleElement()
        .isEqualTo(new OperatorFlow("both", 1, 0));
    watermarks(join, 30_001);

    assertThat(join.flows()).containsExactly(new OperatorFlow("both", 3, 2));
  }

  @Test
  void pairsEqualFieldsOnly() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(RIGHT, "r1", "{\"id\":\"1\"}", 5);
    join.send(RIGHT, "r2", "{\"id\":10}", 5);
    join.send(RIGHT, "r3", "{\"id\":1.0}", 5);
    join.send(LEFT, "l", "{\"id\":1}", 5);

    assertThat(join.documents()).containsExactly("l#r3 {\"id\":1,\"other\":{\"id\":1.0}}");
  }

  @Test
  void pairsADocumentWithAllItsPartnersInTheOrderOfTheirTimestamps() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(LEFT, "l2", "{\"id\":1}", 300);
    join.send(LEFT, "l1", "{\"id\":1}", 7);
    join.send(LEFT, "l3", "{\"id\":1}", 301);
    join.send(RIGHT, "r", "{\"id\":1}", 100);

    assertThat(keys(join)).containsExactly("l1#r", "l2#r", "l3#r");
  }

  private static List<String> keys(OperatorDriver join) {
    return join.documents().stream().map(text -> text.substring(0, text.indexOf(' '))).toList();
  }

  @Test
  void keepsDocumentsAcrossARestart() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(LEFT, "l", "{\"id\":1}", 5);
    join.send(RIGHT, "r1", "{\"id\":2}", 5);
    join.restart();
    join.send(RIGHT, "r2", "{\"id\":1}", 6);
    join.send(LEFT, "l2", "{\"id\":2}", 6);

    assertThat(keys(join)).containsExactly("l#r2", "l2#r1");
  }

  @Test
  void removesADocumentWhenEventTimeHasPassedIt() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(LEFT, "l", "{\"id\":1}", 5);
    join.send(RIGHT, "r", "{\"id\":2}", 5);
    watermarks(join, 10_005);
    assertThat(join.size(STORES)).isEqualTo(4);
    watermarks(join, 10_006);
    assertThat(join.size(STORES)).isZero();
    assertThat(join.documents()).isEmpty();
  }

  @Test
  void aDocumentWhosePartnersHaveExpiredIsADeadLetter() {
    OperatorDriver join = open(JoinKind.INNER);
    watermarks(join, 20_000);
    join.send(LEFT, "l1", "{\"id\":1}", 10_000);
    join.send(LEFT, "l2", "{\"id\":1}", 9_999);

    assertThat(join.size("documents")).isEqualTo(1);
    assertThat(join.deadLetters())
        .singleElement()
        .satisfies(letter -> {
          assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("LateDocument");
          assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("9999");
        });
  }

  @Test
  void anInnerJoinDropsADocumentWithoutTheField() {
    OperatorDriver join = open(JoinKind.INNER);
    join.send(LEFT, "l", "{}", 5);
    join.send(RIGHT, "r", "{\"id\":null}", 5);

    assertThat(join.documents()).isEmpty();
    assertThat(join.dropped()).isEqualTo(2);
    assertThat(join.size(STORES)).isZero();
  }

  @Test
  void aLeftJoinForwardsALeftDocumentWithoutTheFieldAtOnce() {
    OperatorDriver join = open(JoinKind.LEFT);
    join.send(LEFT, "l", "{}", 5);
    join.send(RIGHT, "r", "{}", 5);

    assertThat(join.documents()).containsExactly("l {}");
    assertThat(join.dropped()).isEqualTo(1);
  }

  @Test
  void aLeftJoinForwardsAnUnmatchedDocumentOnceWhenBothInputsHavePassedIt() {
    OperatorDriver join = open(JoinKind.LEFT);
    join.send(LEFT, "l1", "{\"id\":1}", 5);
    join.send(LEFT, "l2", "{\"id\":2}", 5);
    join.send(RIGHT, "r1", "{\"id\":2}", 6);
    join.send(RIGHT, "r2", "{\"id\":3}", 6);
    assertThat(keys(join)).containsExactly("l2#r1");
    join.watermark(LEFT, 0, 100_000);
    join.watermark(RIGHT, 0, 10_005);
    assertThat(join.documents()).isEmpty();
    join.restart();
    join.watermark(RIGHT, 0, 10_006);

    assertThat(join.documents()).containsExactly("l1 {\"id\":1}");
    watermarks(join, 200_000);
    assertThat(join.documents()).isEmpty();
    assertThat(join.size(STORES)).isZero();
  }

  @Test
  void forwardsTheWatermarkMinusTheWindow() {
    OperatorDriver join = open(JoinKind.LEFT);
    join.watermark(LEFT, 0, 30_000);
    assertThat(join.watermarks()).isEmpty();
    join.watermark(RIGHT, 0, 15_000);

    assertThat(join.watermarks()).containsExactly(5_000L);
  }

  @Test
  void aConditionWithoutAFieldPairsAllDocumentsWithinTheWindow() {
    OperatorDriver join = open(JoinKind.INNER, null, "They fit.");
    join.send(LEFT, "l1", "{\"id\":1}", 5);
    join.send(LEFT, "l2", "{}", 20_000);
    join.send(RIGHT, "r", "{\"id\":2}", 6);

    List<TestRecord<byte[], byte[]>> records = join.records();
    assertThat(records)
        .extracting(OperatorDriver::shown)
        .containsExactly("l1#r {\"id\":1,\"other\":{\"id\":2}}");
    assertThat(PairHeaders.pair(records.getFirst().headers())).isNull();
  }

  @Test
  void pairsOfALeftJoinThatAModelDecidesNameTheirLeftDocumentAndEndWithAMarker() {
    OperatorDriver join = open(JoinKind.LEFT, "id", "They fit.");
    join.send(LEFT, "l1", "{\"id\":1}", 5);
    join.send(LEFT, "l2", "{\"id\":1}", 6);
    join.send(RIGHT, "r", "{\"id\":1}", 7);
    join.restart();
    join.send(LEFT, "l3", "{\"id\":1}", 8);
    watermarks(join, 100_000);

    List<TestRecord<byte[], byte[]>> records = join.records();
    List<TestRecord<byte[], byte[]>> pairs = records.stream().filter(r -> pair(r) != null).toList();
    assertThat(pairs).extracting(record -> key(record)).containsExactly("l3#r");
    assertThat(records.stream().filter(record -> pair(record) == null))
        .extracting(record -> key(record))
        .containsExactly("l1", "l2", "l3");
    assertThat(PairHeaders.noMorePairs(records.getLast().headers()))
        .isEqualTo(pair(pairs.getFirst()));
    assertThat(records.stream().map(record -> PairHeaders.noMorePairs(record.headers())))
        .filteredOn(number -> number != null)
        .doesNotHaveDuplicates();
  }

  private static @Nullable Long pair(TestRecord<byte[], byte[]> record) {
    return PairHeaders.pair(record.headers());
  }

  private static String key(TestRecord<byte[], byte[]> record) {
    return Stream.of(OperatorDriver.shown(record).split(" ", -1)).findFirst().orElseThrow();
  }
}
