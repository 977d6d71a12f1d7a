package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * One processor in a topology of its own, with time and threads in the test's hand. Closing it and
 * opening another over the same store is a restart.
 */
final class Harness implements AutoCloseable {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** A result or dead letter. */
  record Sent(@Nullable String key, @Nullable String value) {}

  final ManualExecutor executor = new ManualExecutor();
  final CountingListener listener;
  final FairScheduler scheduler;
  private final TopologyTestDriver driver;
  private final TestInputTopic<String, String> input;
  private final TestOutputTopic<String, String> results;
  private final TestOutputTopic<String, String> deadLetters;
  private boolean closed;
  private Instant now = START;

  private Harness(
      ScriptedWork work,
      SurvivingStores stores,
      RuntimeSettings settings,
      ReceiptLog receipts,
      Commits commits,
      PendingMemory memory,
      @Nullable FairScheduler scheduler,
      String program) {
    this.scheduler = scheduler == null ? new FairScheduler(100, executor) : scheduler;
    listener = new CountingListener();
    RuntimeServices services =
        new RuntimeServices(
            this.scheduler,
            program,
            new StreamThreads(),
            memory,
            receipts,
            listener,
            new RefusedRecords(),
            commits,
            Ownership.ALONE,
            () -> now,
            stores);
    driver = new TopologyTestDriver(topology(work, settings, services), config(), START);
    input = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
    results = driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer());
    deadLetters =
        driver.createOutputTopic("dlq", new StringDeserializer(), new StringDeserializer());
  }

  static Builder over(ScriptedWork work) {
    return new Builder(work);
  }

  private static Topology topology(
      ScriptedWork work, RuntimeSettings settings, RuntimeServices services) {
    return new Topology()
        .addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "in")
        .addProcessor(
            "async", new AsyncProcessorSupplier("pending", work, settings, services), "source")
        .addSink(
            ScriptedWork.RESULTS,
            "out",
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            "async")
        .addSink(
            ScriptedWork.DEAD_LETTERS,
            "dlq",
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            "async");
  }

  static Properties config() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    return config;
  }

  void send(@Nullable String key, @Nullable String value) {
    input.pipeInput(new TestRecord<>(key, value, START));
  }

  void send(TestRecord<String, String> record) {
    input.pipeInput(record);
  }

  /** Lets the punctuator come round once. */
  void tick() {
    now = now.plusMillis(5);
    driver.advanceWallClockTime(Duration.ofMillis(5));
  }

  /** Lets time pass; the punctuator comes round once a second. */
  void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      now = now.plusSeconds(1);
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
  }

  /** Runs all work and forwards what it yields. */
  void finish() {
    do {
      executor.runAll();
      tick();
    } while (executor.started() > 0);
  }

  List<TestRecord<String, String>> records() {
    return results.readRecordsToList();
  }

  /** Values of the results since the last call. */
  List<@Nullable String> results() {
    List<@Nullable String> values = new ArrayList<>();
    results.readRecordsToList().forEach(result -> values.add(result.value()));
    return values;
  }

  /** Results since the last call. */
  List<Sent> sent() {
    return results.readRecordsToList().stream().map(r -> new Sent(r.key(), r.value())).toList();
  }

  /** Values of the dead letters since the last call. */
  List<String> deadLetters() {
    return deadLetters.readValuesToList();
  }

  static String text(byte @Nullable [] bytes) {
    return bytes == null ? "null" : new String(bytes, UTF_8);
  }

  @Override
  public void close() {
    stop();
  }

  /** Closes the task, as a revoked partition does. */
  void stop() {
    if (!closed) {
      closed = true;
      driver.close();
    }
  }

  /** What may differ from test to test. */
  static final class Builder {
    private final ScriptedWork work;
    private SurvivingStores stores = new SurvivingStores();
    private RuntimeSettings settings = RuntimeSettings.defaults().withSlice(Duration.ZERO);
    private ReceiptLog receipts = ReceiptLog.NONE;
    private Commits commits = Commits.immediately();
    private PendingMemory memory = PendingMemory.ofProcess();
    private @Nullable FairScheduler scheduler;
    private String program = "program";

    private Builder(ScriptedWork work) {
      this.work = work;
    }

    Builder stores(SurvivingStores other) {
      stores = other;
      return this;
    }

    Builder settings(RuntimeSettings other) {
      settings = other;
      return this;
    }

    Builder receipts(ReceiptLog other) {
      receipts = other;
      return this;
    }

    Builder commits(Commits other) {
      commits = other;
      return this;
    }

    Builder memory(PendingMemory other) {
      memory = other;
      return this;
    }

    Builder scheduler(FairScheduler other) {
      scheduler = other;
      return this;
    }

    Builder program(String name) {
      program = name;
      return this;
    }

    Harness open() {
      return new Harness(work, stores, settings, receipts, commits, memory, scheduler, program);
    }
  }
}
