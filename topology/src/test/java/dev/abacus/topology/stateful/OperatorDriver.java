package dev.abacus.topology.stateful;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.SurvivingStore;
import dev.abacus.topology.stateful.time.StatefulServices;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** One stateful operator in a test driver, with stores that survive a restart. */
public final class OperatorDriver implements AutoCloseable {

  static final Instant NOW = Instant.ofEpochSecond(1000);
  static final int RECORD_LIMIT = 4000;

  private static final Serde<byte[]> BYTES = Serdes.ByteArray();

  private final Path directory;
  private final LogicalOperator operator;
  private final int[] channels;
  private final Map<String, SurvivingStore> stores = new HashMap<>();
  private final ProgramCounters counters = new ProgramCounters();
  private final List<TestRecord<byte[], byte[]>> watermarks = new ArrayList<>();
  private TopologyTestDriver driver;
  private long millis;

  /** Milliseconds by which each look at the clock moves it; a slice takes 100. */
  long tick;

  /**
   * A driver.
   *
   * @param channels for each input, the number of channels with watermarks
   */
  OperatorDriver(Path directory, LogicalOperator operator, int... channels) {
    this.directory = directory;
    this.operator = operator;
    this.channels = channels;
    this.driver = open();
  }

  Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    List<StatefulOperators.Input> inputs = new ArrayList<>();
    for (int side = 0; side < channels.length; side++) {
      KStream<byte[], byte[]> stream =
          builder.stream("in-" + side, Consumed.with(BYTES, BYTES).withName("source-" + side));
      inputs.add(new StatefulOperators.Input(stream, channels[side]));
    }
    StatefulServices services =
        new StatefulServices(
            "program",
            new RecordSizes(RECORD_LIMIT),
            counters,
            Commits.immediately(),
            () -> NOW.plusMillis(millis += tick),
            name -> stores.computeIfAbsent(name, SurvivingStore::new));
    KStream<byte[], byte[]> output =
        new StatefulOperators(services)
            .add(
                operator,
                inputs,
                1,
                new StatefulOperators.Outputs(List.of("results"), "dead-letters"));
    output.to("out", Produced.with(BYTES, BYTES).withName("results"));
    output.to("dlq", Produced.with(BYTES, BYTES).withName("dead-letters"));
    return builder.build();
  }

  private TopologyTestDriver open() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    return new TopologyTestDriver(topology(), properties);
  }

  /** Closes the operator and opens it again over its stores. */
  void restart() {
    driver.close();
    driver = open();
  }

  /** Lets the stream thread come round. */
  void nextRound() {
    driver.advanceWallClockTime(Duration.ofMillis(1));
  }

  void send(String key, String json, long timestamp) {
    send(0, key, json, timestamp);
  }

  /** Sends a document that cost 0.01 USD so far. */
  void send(int side, String key, String json, long timestamp) {
    send(
        side,
        key,
        json,
        timestamp,
        new Provenance(1, new Usage(0.01, TokenCounts.NONE), NOW, "topic-" + side, 0, timestamp));
  }

  void send(int side, String key, String json, long timestamp, Provenance provenance) {
    Envelope envelope =
        new Envelope(
            key.getBytes(UTF_8),
            document(json),
            provenance,
            key.getBytes(UTF_8),
            ("original of " + key).getBytes(UTF_8));
    pipe(
        side,
        new TestRecord<>(key.getBytes(UTF_8), envelope.toBytes(), Instant.ofEpochMilli(timestamp)));
  }

  static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends the watermark of the only channel of the only input. */
  void watermark(long time) {
    watermark(0, 0, time);
  }

  void watermark(int side, int channel, long time) {
    pipe(side, new Watermark(channel, time, false));
  }

  void idle(int side, int channel, long time) {
    pipe(side, new Watermark(channel, time, true));
  }

  @SuppressWarnings("NullAway") // a tombstone has no value; Kafka's test record is not annotated
  void tombstone(String key) {
    pipe(0, new TestRecord<>(key.getBytes(UTF_8), null, Instant.ofEpochMilli(1)));
  }

  private void pipe(int side, Watermark watermark) {
    Record<byte[], byte[]> record = watermark.toRecord(Long.MAX_VALUE);
    pipe(
        side, new TestRecord<>(record.key(), record.value(), record.headers(), record.timestamp()));
  }

  private void pipe(int side, TestRecord<byte[], byte[]> record) {
    driver
        .createInputTopic("in-" + side, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(record);
  }

  /** The documents since the last call; their watermarks are kept for {@link #watermarks}. */
  List<TestRecord<byte[], byte[]>> records() {
    List<TestRecord<byte[], byte[]>> documents = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read("out")) {
      (Watermark.is(record.value(), record.headers()) ? watermarks : documents).add(record);
    }
    return documents;
  }

  /** The documents since the last call, as {@code key json}. */
  List<String> documents() {
    return records().stream().map(OperatorDriver::shown).toList();
  }

  static String shown(TestRecord<byte[], byte[]> record) {
    return new String(record.key(), UTF_8) + " " + Envelope.read(record.value()).document();
  }

  /** The times of the watermarks since the last call. */
  List<Long> watermarks() {
    watermarks.addAll(
        read("out").stream()
            .filter(record -> Watermark.is(record.value(), record.headers()))
            .toList());
    List<Long> times =
        watermarks.stream().map(record -> Watermark.read(record.headers()).time()).toList();
    watermarks.clear();
    return times;
  }

  List<TestRecord<byte[], byte[]>> deadLetters() {
    return read("dlq");
  }

  /** Number of documents that were written to the repartition topic since the last call. */
  long repartitioned() {
    return read("app-" + operator.id() + "-repartition").stream()
        .filter(record -> record.value() != null)
        .count();
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  static @Nullable String header(TestRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  /** Number of entries of the operator's stores with these purposes. */
  int size(String... purposes) {
    return Arrays.stream(purposes)
        .map(purpose -> operator.id() + "-" + purpose)
        .mapToInt(name -> Objects.requireNonNull(stores.get(name), name).snapshot().size())
        .sum();
  }

  /** Inputs and outputs that were counted. */
  List<OperatorFlow> flows() {
    return counters.status("program", "instance", NOW, "", 1L).flows();
  }

  /** Number of dropped documents. */
  long dropped() {
    return counters.status("program", "instance", NOW, "", 1L).filtered();
  }

  /** Number of dropped groups; null before the first. */
  @Nullable Long droppedGroups() {
    return counters.status("program", "instance", NOW, "", 1L).filteredGroups();
  }

  @Override
  public void close() {
    driver.close();
  }
}
