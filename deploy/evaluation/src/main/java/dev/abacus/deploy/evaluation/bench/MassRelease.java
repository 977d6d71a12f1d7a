package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/**
 * Results that one document sets free: the groups whose window its time closes, or its pairs with
 * partners that wait. What waits is in the stores before the document is sent.
 */
enum MassRelease {
  /** Groups that one watermark closes. */
  GROUPS(
      10_000,
      """
      program: NAME
      sources: { documents: { topic: NAME.documents } }
      operators:
        - aggregate: groups
          by: [id]
          window: { tumbling: 1h }
          compute: { n: count }
      results: { topic: NAME.results }
      """),
  /** Partners that one document meets. */
  PARTNERS(
      1_000,
      """
      program: NAME
      sources: { documents: { topic: NAME.documents }, partners: { topic: NAME.partners } }
      operators:
        - join: pairs
          input: documents
          with: partners
          within: 1h
          on: k
          into: partner
      results: { topic: NAME.results }
      """);

  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final int fewest;
  private final String program;

  MassRelease(int fewest, String program) {
    this.fewest = fewest;
    this.program = program;
  }

  /** The numbers of results that are measured. */
  List<Integer> points() {
    return List.of(fewest, 10 * fewest, 100 * fewest);
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What a release took.
   *
   * @param cpuMillis CPU milliseconds of a result
   * @param silence longest time without a committed result
   */
  record Released(double cpuMillis, Duration silence) {}

  BenchmarkProgram program(String name) {
    return new BenchmarkProgram(name, program);
  }

  /**
   * Fills the stores of a worker that runs, sends the document, and waits for all results.
   *
   * @throws IllegalStateException if no result arrives for a minute
   */
  Released measure(
      KafkaConnection connection, BenchmarkProgram program, int number, KafkaStreams worker)
      throws InterruptedException {
    String waiting = this == GROUPS ? program.source() : program.program().name() + ".partners";
    long past = Instant.now().toEpochMilli() / HOUR * HOUR - 3 * HOUR;
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of());
        Consumer<byte[], byte[]> consumer =
            connection.consumerOf(List.of(program.program().results().topic()))) {
      for (int i = 0; i < number; i++) {
        var _ =
            producer.send(record(waiting, null, past, "{\"id\":\"d-%d\",\"k\":1}".formatted(i)));
      }
      producer.flush();
      awaitQuiet(worker, 2.0 * number);
      long before = GrowthCommand.cpuNanos();
      int partitions = this == GROUPS ? producer.partitionsFor(waiting).size() : 1;
      for (int i = 0; i < partitions; i++) {
        long time = this == GROUPS ? past + 2 * HOUR : past;
        var _ = producer.send(record(program.source(), i, time, "{\"id\":\"last\",\"k\":1}"));
      }
      producer.flush();
      Duration silence = await(consumer, number);
      return new Released((GrowthCommand.cpuNanos() - before) / 1e6 / number, silence);
    }
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, @Nullable Integer partition, long time, String document) {
    return new ProducerRecord<>(
        topic, partition, time, null, document.getBytes(StandardCharsets.UTF_8));
  }

  /** Waits until the worker has processed so many records, and none for a while. */
  private static void awaitQuiet(KafkaStreams worker, double records) throws InterruptedException {
    double processed = processed(worker);
    for (long changed = System.nanoTime();
        processed < records || System.nanoTime() - changed < QUIET.toNanos(); ) {
      Thread.sleep(POLL);
      double now = processed(worker);
      if (now > processed) {
        changed = System.nanoTime();
      } else if (System.nanoTime() - changed > BenchmarkCluster.LONGEST_SILENCE.toNanos()) {
        throw new IllegalStateException(
            "processed %.0f of %.0f records".formatted(processed, records));
      }
      processed = now;
    }
  }

  private static double processed(KafkaStreams worker) {
    double processed = 0;
    for (var metric : worker.metrics().entrySet()) {
      MetricName name = metric.getKey();
      if (name.name().equals("process-total") && name.group().equals("stream-thread-metrics")) {
        processed += ((Number) metric.getValue().metricValue()).doubleValue();
      }
    }
    return processed;
  }

  private static Duration await(Consumer<byte[], byte[]> consumer, int number) {
    long longest = 0;
    long last = System.nanoTime();
    for (int found = 0; found < number; ) {
      int more = consumer.poll(POLL).count();
      long silence = System.nanoTime() - last;
      longest = Math.max(longest, silence);
      if (more > 0) {
        found += more;
        last = System.nanoTime();
      } else if (silence > BenchmarkCluster.LONGEST_SILENCE.toNanos()) {
        throw new IllegalStateException("no result after %d of %d".formatted(found, number));
      }
    }
    return Duration.ofNanos(longest);
  }
}
