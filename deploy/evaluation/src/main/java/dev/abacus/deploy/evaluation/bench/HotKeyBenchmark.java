package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.bench.ThroughputOptions.Keys;
import dev.abacus.topology.runtime.RuntimeServices;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Measures by how much a hot key delays others: half of all documents have one key, and the others
 * have keys of their own. Documents arrive at a fixed rate; the time of a document is that from its
 * turn to its committed result. The product runs in this process, with a broker and a simulated
 * model.
 */
final class HotKeyBenchmark {

  private static final Duration POLL = Duration.ofMillis(2);

  /**
   * Options.
   *
   * @param load documents and calls; half of the documents have one key
   * @param rate documents per second ÷ documents per second that the calls allow, in (0, 1)
   */
  record Options(ThroughputOptions.Load load, int inFlight, int partitions, double rate) {

    Options {
      if (inFlight < 1 || partitions < 2) {
        throw new IllegalArgumentException("--in-flight must be above 0 and --partitions above 1");
      }
      if (!(rate > 0 && rate < 1)) {
        throw new IllegalArgumentException("--load must be between 0 and 1");
      }
      if (load.latency().isZero() || load.keys() != Keys.HOT) {
        throw new IllegalArgumentException("--latency must be above 0");
      }
    }

    /** The first documents, which load and compile the product, are not measured. */
    int warmUp() {
      return load.documents() / 4;
    }

    /** Documents that are sent. */
    int documents() {
      return warmUp() + load.documents();
    }

    double perSecond() {
      return rate * inFlight / load.meanSeconds();
    }
  }

  private enum Group {
    HOT_KEY,
    SAME_PARTITION,
    OTHER_PARTITIONS
  }

  /** The times of the documents of a group. */
  record Times(int documents, double p50Millis, double p99Millis) {

    static Times of(List<Double> millis) {
      List<Double> sorted = millis.stream().sorted().toList();
      return new Times(sorted.size(), quantile(sorted, 0.5), quantile(sorted, 0.99));
    }

    private static double quantile(List<Double> sorted, double share) {
      return sorted.isEmpty() ? 0 : sorted.get((int) (share * (sorted.size() - 1)));
    }
  }

  /**
   * Results.
   *
   * @param hotKey documents of the hot key
   * @param samePartition others in its partition
   * @param otherPartitions those in other partitions
   * @param p99Ratio p99 of the others in the partition of the hot key ÷ that in other partitions
   * @param simulated always true: the model calls are simulated
   */
  record Report(
      double documentsPerSecond,
      Times hotKey,
      Times samePartition,
      Times otherPartitions,
      double p99Ratio,
      boolean simulated) {}

  private final Options options;
  private final LongConsumer progress;
  private final BenchmarkProgram program = new BenchmarkProgram("bench-hot-key");
  private final long[] due;
  private final long[] arrived;
  private final AtomicIntegerArray partitions;
  private int results;

  /**
   * @param progress gets the number of results so far
   */
  HotKeyBenchmark(Options options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    this.due = new long[options.documents()];
    this.arrived = new long[options.documents()];
    this.partitions = new AtomicIntegerArray(options.documents());
  }

  /**
   * Runs the benchmark.
   *
   * @throws IllegalStateException if no results arrive
   */
  Report run() throws InterruptedException {
    ThroughputOptions.Load load = options.load();
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions());
        BenchmarkModel model = BenchmarkModel.waiting(load)) {
      cluster.prepare(program, 0, load.bytes(), load.keys()::of);
      RuntimeServices runtime = RuntimeServices.of(options.inFlight());
      Map<String, Object> client = Map.of("bootstrap.servers", cluster.bootstrapServers());
      try (KafkaStreams _ =
              cluster.start(program, model.client(), options.inFlight(), "worker", runtime);
          KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
          KafkaConsumer<byte[], byte[]> consumer = consumer(client)) {
        run(producer, consumer);
      }
    }
    return report();
  }

  private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> all =
        consumer.partitionsFor(program.program().results().topic()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    return consumer;
  }

  private void run(KafkaProducer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> consumer) {
    // The worker starts meanwhile.
    send(producer, 0);
    poll(consumer, 1);
    long start = System.nanoTime();
    double nanos = 1e9 / options.perSecond();
    for (int next = 1; next < options.documents(); next++) {
      long turn = start + Math.round(next * nanos);
      while (System.nanoTime() < turn) {
        take(consumer);
      }
      due[next] = turn;
      send(producer, next);
    }
    poll(consumer, options.documents());
  }

  private void send(KafkaProducer<byte[], byte[]> producer, int document) {
    due[document] = document == 0 ? System.nanoTime() : due[document];
    String key = options.load().keys().of(document);
    var _ =
        producer.send(
            new ProducerRecord<>(
                program.source(),
                key.getBytes(StandardCharsets.UTF_8),
                BenchmarkProgram.document(document, options.load().bytes())),
            (sent, _) -> partitions.set(document, sent.partition()));
  }

  private void poll(KafkaConsumer<byte[], byte[]> consumer, int wanted) {
    long quietSince = System.nanoTime();
    while (results < wanted) {
      if (take(consumer)) {
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince > BenchmarkCluster.LONGEST_SILENCE.toNanos()) {
        throw new IllegalStateException(
            "no result for %d s after %d of %d"
                .formatted(BenchmarkCluster.LONGEST_SILENCE.toSeconds(), results, wanted));
      }
    }
  }

  private boolean take(KafkaConsumer<byte[], byte[]> consumer) {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      any = true;
      results++;
      arrived[BenchmarkProgram.number(record.value())] = System.nanoTime();
    }
    progress.accept(results);
    return any;
  }

  private Report report() {
    int hot = partitions.get(0);
    Map<Group, List<Double>> millis = new EnumMap<>(Group.class);
    for (int i = options.warmUp(); i < options.documents(); i++) {
      Group group =
          options.load().keys().of(i).equals(options.load().keys().of(0))
              ? Group.HOT_KEY
              : partitions.get(i) == hot ? Group.SAME_PARTITION : Group.OTHER_PARTITIONS;
      millis.computeIfAbsent(group, _ -> new ArrayList<>()).add((arrived[i] - due[i]) / 1e6);
    }
    Times same = Times.of(millis.getOrDefault(Group.SAME_PARTITION, List.of()));
    Times others = Times.of(millis.getOrDefault(Group.OTHER_PARTITIONS, List.of()));
    return new Report(
        options.perSecond(),
        Times.of(millis.getOrDefault(Group.HOT_KEY, List.of())),
        same,
        others,
        same.p99Millis() / others.p99Millis(),
        true);
  }
}
