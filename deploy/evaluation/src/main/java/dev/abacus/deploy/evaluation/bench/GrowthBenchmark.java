package dev.abacus.deploy.evaluation.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Documents;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.reference.index.AdaptiveIndex;
import dev.abacus.topology.runtime.RuntimeServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Measures the CPU time of a document against what may grow, after the first documents of each
 * program. CPU time depends little on what else runs on the machine. Broker, producer of the
 * documents, consumer of the results and the model, which only waits, run in the same process and
 * are part of the time.
 *
 * @param documents documents of each measurement; fewer if they are large
 * @param axes what to vary
 * @param progress receives a description of each measurement
 */
record GrowthBenchmark(int documents, List<Axis> axes, Consumer<String> progress) {

  private static final int PARTITIONS = 2;
  private static final int IN_FLIGHT = 500;
  private static final int KILOBYTE = 1000;

  /** Documents per second, if only the calls take time. */
  private static final int RATE = 2_500;

  private static final int DIMENSIONS = 384;
  private static final int NEIGHBOURS = 10;
  private static final int SEARCHES = 300;

  /** What grows, and its values. */
  enum Axis {
    /** Semantic maps of the program. */
    OPERATORS,
    /** Kilobytes of a document. */
    DOCUMENT_KILOBYTES,
    /** Programs of one worker, with the same documents in total. */
    PROGRAMS,
    /** Documents in flight, at the same rate: the latency grows with them. */
    IN_FLIGHT,
    /** Items of a reference; the time is that of one search for the 10 nearest. */
    REFERENCE_ITEMS,
    /** Groups that one watermark closes; the time is that of one group. */
    GROUPS,
    /** Partners that one document meets; the time is that of one pair. */
    PARTNERS;

    private List<Integer> points() {
      return switch (this) {
        case OPERATORS, PROGRAMS -> List.of(1, 2, 4, 8);
        case DOCUMENT_KILOBYTES -> List.of(1, 10, 100);
        case IN_FLIGHT -> List.of(125, 500, 2_000);
        case REFERENCE_ITEMS -> List.of(1_000, 4_000, 16_000);
        case GROUPS -> List.of(10_000, 100_000, 1_000_000);
        case PARTNERS -> List.of(1_000, 10_000, 100_000);
      };
    }

    /** The name on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  GrowthBenchmark {
    axes = List.copyOf(axes);
    if (documents < 100 || axes.isEmpty()) {
      throw new IllegalArgumentException("--documents must be at least 100, --only not empty");
    }
  }

  /** CPU milliseconds of a document, or of a search. */
  record Point(int value, double cpuMillis) {}

  /**
   * One axis.
   *
   * @param exponent e of the power law cpuMillis ~ value^e that fits best: 0 is constant, 1 linear
   */
  record Growth(String axis, List<Point> points, double exponent) {

    static Growth of(Axis axis, List<Point> points) {
      double meanX = points.stream().mapToDouble(one -> Math.log(one.value())).average().orElse(0);
      double meanY =
          points.stream().mapToDouble(one -> Math.log(one.cpuMillis())).average().orElse(0);
      double covariance = 0;
      double variance = 0;
      for (Point one : points) {
        double x = Math.log(one.value()) - meanX;
        covariance += x * (Math.log(one.cpuMillis()) - meanY);
        variance += x * x;
      }
      return new Growth(axis.toString(), List.copyOf(points), covariance / variance);
    }
  }

  /**
   * Runs the benchmark.
   *
   * @throws IllegalStateException if no results arrive
   */
  List<Growth> run() throws InterruptedException {
    List<Growth> all = new ArrayList<>();
    try (BenchmarkCluster cluster = new BenchmarkCluster(PARTITIONS)) {
      progress.accept("warm-up");
      var _ = cpuMillis(cluster, "growth-warm-up", Axis.OPERATORS, 4);
      var _ = cpuMillis(cluster, "growth-warm-up-large", Axis.DOCUMENT_KILOBYTES, 10);
      for (Axis axis : axes) {
        List<Point> points = new ArrayList<>();
        for (int value : axis.points()) {
          String name = "growth-%s-%d".formatted(axis, value);
          double millis =
              switch (axis) {
                case REFERENCE_ITEMS -> searchMillis(value);
                case GROUPS -> releaseMillis(cluster, name, MassRelease.GROUPS, value);
                case PARTNERS -> releaseMillis(cluster, name, MassRelease.PARTNERS, value);
                case OPERATORS, DOCUMENT_KILOBYTES, PROGRAMS, IN_FLIGHT ->
                    cpuMillis(cluster, name, axis, value);
              };
          progress.accept(
              String.format(Locale.ROOT, "%s %d: %.2f ms of CPU time", axis, value, millis));
          points.add(new Point(value, millis));
        }
        all.add(Growth.of(axis, points));
      }
    }
    return all;
  }

  private double cpuMillis(BenchmarkCluster cluster, String name, Axis axis, int value)
      throws InterruptedException {
    int programs = axis == Axis.PROGRAMS ? value : 1;
    int bytes = axis == Axis.DOCUMENT_KILOBYTES ? value * KILOBYTE : 0;
    int each = Math.max(100, (bytes > 10 * KILOBYTE ? documents / 5 : documents) / programs);
    int inFlight = axis == Axis.IN_FLIGHT ? value : IN_FLIGHT;
    long latency = inFlight * 1000L / RATE;
    ModelClient model =
        _ -> {
          Thread.sleep(latency);
          return BenchmarkModel.ANSWER;
        };
    RuntimeServices runtime = RuntimeServices.of(inFlight);
    List<KafkaStreams> streams = new ArrayList<>();
    List<DocumentFlow> flows = new ArrayList<>();
    int first = Math.max(1, each / 4);
    try {
      for (int i = 0; i < programs; i++) {
        BenchmarkProgram program =
            new BenchmarkProgram(name + "-" + i, axis == Axis.OPERATORS ? value : 1);
        cluster.create(program);
        Documents kind = new Documents(bytes, Documents.SHORT.key());
        flows.add(new DocumentFlow(cluster.connection(), program, kind, _ -> {}));
        flows.getLast().sendNow(first);
        streams.add(
            cluster.worker(program, program.services(model), inFlight, name + "-" + i, runtime));
        streams.getLast().start();
      }
      await(flows);
      // The start is over, and nothing is under way.
      long before = cpuNanos();
      flows.forEach(flow -> flow.sendNow(each));
      await(flows);
      return (cpuNanos() - before) / 1e6 / ((long) each * programs);
    } finally {
      streams.forEach(KafkaStreams::close);
      flows.forEach(DocumentFlow::close);
    }
  }

  private double releaseMillis(
      BenchmarkCluster cluster, String name, MassRelease release, int number)
      throws InterruptedException {
    BenchmarkProgram program = release.program(name);
    cluster.create(program);
    try (KafkaStreams worker =
        cluster.worker(
            program,
            program.services(_ -> BenchmarkModel.ANSWER),
            IN_FLIGHT,
            name,
            RuntimeServices.of(IN_FLIGHT))) {
      worker.start();
      MassRelease.Released released =
          release.measure(cluster.connection(), program, number, worker);
      progress.accept(
          String.format(
              Locale.ROOT,
              "%s: at most %.1f s without a result",
              name,
              released.silence().toMillis() / 1000.0));
      return released.cpuMillis();
    }
  }

  private static void await(List<DocumentFlow> flows) {
    flows.forEach(
        flow -> flow.awaitResults(flow.sent(), BenchmarkCluster.LONGEST_SILENCE, _ -> {}));
  }

  private static double searchMillis(int items) {
    Random random = new Random(items);
    try {
      Path folder = Files.createTempDirectory("abacus-growth");
      try (AdaptiveIndex index =
          new AdaptiveIndex(
              DIMENSIONS,
              folder,
              new Supervisor(RestartPolicy.standard(_ -> false), Clock.systemUTC())
                  .watch("growth"))) {
        for (int i = 0; i < items; i++) {
          index.put("item-" + i, vector(random));
        }
        index.flush();
        var _ = search(index, random);
        return search(index, random);
      } finally {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double search(AdaptiveIndex index, Random random) {
    long before = cpuNanos();
    for (int i = 0; i < SEARCHES; i++) {
      var _ = index.nearest(vector(random), NEIGHBOURS);
    }
    return (cpuNanos() - before) / 1e6 / SEARCHES;
  }

  private static float[] vector(Random random) {
    float[] vector = new float[DIMENSIONS];
    double squares = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = (float) random.nextGaussian();
      squares += vector[i] * vector[i];
    }
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] /= (float) Math.sqrt(squares);
    }
    return vector;
  }

  /** CPU time of this process. */
  static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
