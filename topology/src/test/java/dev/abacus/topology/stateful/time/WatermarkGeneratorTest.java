package dev.abacus.topology.stateful.time;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatermarkGeneratorTest {

  private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  @TempDir Path directory;
  private TopologyTestDriver driver;
  private boolean held;

  @BeforeEach
  void open() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("in", Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .process(() -> new WatermarkGenerator(_ -> held))
        .to("out", Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    driver = new TopologyTestDriver(builder.build(), properties, Instant.ofEpochMilli(START));
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private void send(long timestamp) {
    pipe(
        new TestRecord<>(
            "k".getBytes(UTF_8), "{}".getBytes(UTF_8), Instant.ofEpochMilli(timestamp)));
  }

  @SuppressWarnings("NullAway") // a watermark has no value; Kafka's test record is not annotated
  private void sendWatermark(String time) {
    TestRecord<byte[], byte[]> record = new TestRecord<>(null, null, Instant.ofEpochMilli(0));
    record.headers().add(Headers.WATERMARK, time.getBytes(UTF_8));
    pipe(record);
  }

  private void pipe(TestRecord<byte[], byte[]> record) {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(record);
  }

  private void intervals(int count) {
    for (int i = 0; i < count; i++) {
      driver.advanceWallClockTime(WatermarkGenerator.INTERVAL);
    }
  }

  private List<TestRecord<byte[], byte[]>> records() {
    return driver
        .createOutputTopic("out", new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  /** The watermarks since the last call. */
  private List<@Nullable Watermark> watermarks() {
    return records().stream()
        .filter(record -> record.value() == null)
        .<@Nullable Watermark>map(record -> Watermark.of(record.headers()))
        .toList();
  }

  private static Watermark at(long time) {
    return new Watermark(0, time, false);
  }

  @Test
  void emitsTheLargestTimestampOncePerIntervalIfItChanged() {
    intervals(1);
    watermarks();
    send(50);
    send(40);
    driver.advanceWallClockTime(Duration.ofMillis(499));
    assertThat(watermarks()).isEmpty();
    driver.advanceWallClockTime(Duration.ofMillis(1));
    assertThat(watermarks()).containsExactly(at(50));
    send(45);
    intervals(3);
    assertThat(watermarks()).isEmpty();
    send(51);
    intervals(1);
    assertThat(watermarks()).containsExactly(at(51));
  }

  @Test
  void aDocumentFromTheFutureAdvancesEventTimeToTheClockOnly() {
    send(START + Duration.ofDays(365).toMillis());
    intervals(1);
    List<TestRecord<byte[], byte[]>> emitted = records();
    Watermark first = Watermark.read(emitted.getLast().headers());
    assertThat(first.time()).isEqualTo(START + WatermarkGenerator.INTERVAL.toMillis());
    assertThat(emitted.getLast().timestamp()).isEqualTo(first.time());
    intervals(2);
    Watermark last = Watermark.read(records().getLast().headers());
    assertThat(last.time() - first.time()).isEqualTo(2 * WatermarkGenerator.INTERVAL.toMillis());
  }

  @Test
  void theRecordOfAWatermarkInTheFutureHasTheCurrentTime() {
    long future = START + Duration.ofDays(1).toMillis();
    sendWatermark(Long.toString(future));
    TestRecord<byte[], byte[]> record = records().getFirst();
    assertThat(Watermark.read(record.headers()).time()).isEqualTo(future);
    assertThat(record.timestamp()).isEqualTo(START);
  }

  @Test
  void emitsTheWatermarkOfAUserAtOnce() {
    send(50);
    records();
    sendWatermark("70");
    assertThat(watermarks()).containsExactly(at(70));
    sendWatermark("60");
    assertThat(watermarks()).containsExactly(at(70));
  }

  @Test
  void aPartitionIsIdleAfterAMinuteWithoutRecordsUntilTheNextOne() {
    send(50);
    intervals(WatermarkGenerator.IDLE_AFTER);
    assertThat(watermarks()).containsExactly(at(50));
    intervals(1);
    assertThat(watermarks()).containsExactly(new Watermark(0, 50, true));
    intervals(10);
    assertThat(watermarks()).isEmpty();
    send(10);
    intervals(1);
    assertThat(watermarks()).containsExactly(at(50));
  }

  @Test
  void aPartitionThatIsNotReadBecauseOfBackpressureIsNotIdle() {
    send(50);
    held = true;
    intervals(2 * WatermarkGenerator.IDLE_AFTER);
    held = false;
    intervals(WatermarkGenerator.IDLE_AFTER);
    assertThat(watermarks()).containsExactly(at(50));
    intervals(1);
    assertThat(watermarks()).containsExactly(new Watermark(0, 50, true));
  }

  @Test
  void aSourceWithoutRecordsBecomesIdleToo() {
    intervals(WatermarkGenerator.IDLE_AFTER + 1);

    assertThat(watermarks()).containsExactly(at(0), new Watermark(0, 0, true));
  }

  @Test
  void forwardsAWatermarkThatIsNotANumberAsItIs() {
    sendWatermark("soon");

    assertThat(records())
        .singleElement()
        .satisfies(record ->
            assertThat(record.headers().lastHeader(Headers.WATERMARK).value())
                .isEqualTo("soon".getBytes(UTF_8)));
  }

  @Test
  void removesThePairHeadersOfAUser() {
    TestRecord<byte[], byte[]> record =
        new TestRecord<>("k".getBytes(UTF_8), "{}".getBytes(UTF_8), Instant.ofEpochMilli(1));
    record.headers().add(PairHeaders.pairOf(1)).add(PairHeaders.noMorePairsOf(1));
    record.headers().add("mine", new byte[] {1});
    pipe(record);

    assertThat(records().getFirst().headers().toArray())
        .extracting(header -> header.key())
        .containsExactly("mine");
  }

  /** Kafka Streams opens a processor again, and what it had scheduled before goes on. */
  @Test
  void nothingIsScheduledAfterClose() {
    MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    WatermarkGenerator generator = new WatermarkGenerator(_ -> held);
    generator.init(context);
    generator.close();
    assertThat(context.scheduledPunctuators()).hasSize(1).allMatch(CapturedPunctuator::cancelled);
  }
}
