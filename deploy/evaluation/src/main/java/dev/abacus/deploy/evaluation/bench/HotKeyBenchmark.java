package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.bench.ThroughputOptions.Keys;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.CommittedResult;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.topology.runtime.RuntimeServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
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
  private final BenchmarkProgram program = new BenchmarkProgram("bench-hot-key", 1);
  private final long[] due;
  private final long[] arrived;
  private final int[] partitions;

  /**
   * @param progress gets the number of results so far
   */
  HotKeyBenchmark(Options options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    this.due = new long[options.documents()];
    this.arrived = new long[options.documents()];
    this.partitions = new int[options.documents()];
  }

  /**
   * Runs the benchmark.
   *
   * @throws IllegalStateException if no results arrive
   */
  Report run() {
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions());
        BenchmarkModel model = BenchmarkModel.waiting(options.load())) {
      cluster.create(program);
      RuntimeServices runtime = RuntimeServices.of(options.inFlight());
      try (KafkaStreams worker =
              cluster.worker(
                  program,
                  program.services(model.client()),
                  options.inFlight(),
                  "worker",
                  runtime);
          DocumentFlow flow =
              new DocumentFlow(
                  cluster.connection(), program, options.load().kind(), this::arrived)) {
        worker.start();
        run(flow);
      }
    }
    return report();
  }

  private void run(DocumentFlow flow) {
    // The worker starts meanwhile.
    due[0] = System.nanoTime();
    flow.send(1);
    flow.awaitResults(1, BenchmarkCluster.LONGEST_SILENCE, progress);
    long start = System.nanoTime();
    double nanos = 1e9 / options.perSecond();
    for (int next = 1; next < options.documents(); next++) {
      due[next] = start + Math.round(next * nanos);
      while (System.nanoTime() < due[next]) {
        flow.look(POLL);
        progress.accept(flow.results());
      }
      flow.send(1);
    }
    flow.awaitResults(options.documents(), BenchmarkCluster.LONGEST_SILENCE, progress);
  }

  private void arrived(CommittedResult result) {
    int document = (int) result.number();
    arrived[document] = result.nanos();
    partitions[document] = result.sourcePartition();
  }

  private Report report() {
    int hot = partitions[0];
    Map<Group, List<Double>> millis = new EnumMap<>(Group.class);
    for (int i = options.warmUp(); i < options.documents(); i++) {
      Group group =
          options.load().keys().of(i).equals(options.load().keys().of(0))
              ? Group.HOT_KEY
              : partitions[i] == hot ? Group.SAME_PARTITION : Group.OTHER_PARTITIONS;
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
