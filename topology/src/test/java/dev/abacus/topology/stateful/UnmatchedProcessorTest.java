package dev.abacus.topology.stateful;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.SurvivingStore;
import dev.abacus.topology.stateful.time.StatefulServices;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnmatchedProcessorTest {

  @TempDir Path directory;
  private final SurvivingStore matched = new SurvivingStore("end-matched");
  private TopologyTestDriver driver;

  @BeforeEach
  void open() {
    StreamsBuilder builder = new StreamsBuilder();
    StatefulServices services =
        new StatefulServices(
            "program",
            new RecordSizes(1000),
            new ProgramCounters(),
            Commits.immediately(),
            InstantSource.system(),
            _ -> matched);
    new StatefulOperators(services)
        .addUnmatched(
            "end",
            builder.stream("in", Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())),
            List.of("results"))
        .to("out", Produced.with(Serdes.ByteArray(), Serdes.ByteArray()).withName("results"));
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    driver = new TopologyTestDriver(builder.build(), properties);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @SuppressWarnings("NullAway") // a failed pair has no value; Kafka's records are not annotated
  private void send(@Nullable String value, Header... headers) {
    Record<byte[], byte[]> record =
        new Record<>("k".getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8), 1);
    for (Header header : headers) {
      record.headers().add(header);
    }
    pipe(record);
  }

  private void pipe(Record<byte[], byte[]> record) {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(
            new TestRecord<>(record.key(), record.value(), record.headers(), record.timestamp()));
  }

  private List<TestRecord<byte[], byte[]>> records() {
    return driver
        .createOutputTopic("out", new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private List<String> values() {
    return records().stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  @Test
  void forwardsAMatchedPairWithoutItsHeaderAndNotItsLeftDocument() {
    send("pair", PairHeaders.pairOf(7));
    List<TestRecord<byte[], byte[]>> records = records();
    assertThat(records).hasSize(1);
    assertThat(records.getFirst().headers().toArray()).isEmpty();
    send("left", PairHeaders.noMorePairsOf(7));

    assertThat(records()).isEmpty();
    assertThat(matched.snapshot()).isEmpty();
  }

  @Test
  void forwardsALeftDocumentWithoutAMatchedPair() {
    send("pair", PairHeaders.pairOf(7));
    values();
    send("left", PairHeaders.noMorePairsOf(8));

    List<TestRecord<byte[], byte[]>> records = records();
    assertThat(records).hasSize(1);
    assertThat(new String(records.getFirst().value(), UTF_8)).isEqualTo("left");
    assertThat(records.getFirst().headers().toArray()).isEmpty();
  }

  @Test
  void aPairThatFailedCountsAsMatched() {
    send(null, PairHeaders.pairOf(7));
    send("left", PairHeaders.noMorePairsOf(7));

    assertThat(records()).isEmpty();
  }

  @Test
  void remembersMatchesAcrossARestart() {
    send("pair", PairHeaders.pairOf(7));
    values();
    driver.close();
    open();
    send("left 7", PairHeaders.noMorePairsOf(7));
    send("left 8", PairHeaders.noMorePairsOf(8));

    assertThat(values()).containsExactly("left 8");
  }

  @Test
  void forwardsWatermarksAsTheyAre() {
    pipe(new Watermark(3, 5, true).toRecord(5));

    Headers headers = records().getFirst().headers();
    assertThat(Watermark.of(headers)).isEqualTo(new Watermark(3, 5, true));
  }
}
