package dev.abacus.deploy.evaluation.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.Statistics;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.streams.KafkaStreams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench growth}: measures the CPU time of a result against the number that one
 * document sets free. CPU time depends little on what else runs on the machine. Broker, producer of
 * the documents and consumer of the results run in the same process and are part of the time.
 */
@Command(
    name = "growth",
    description = {
      "Measure the CPU time of a result against the groups that one watermark closes and the "
          + "partners that one document meets.",
      "The exponent is that of the power law that fits: 0 is constant, 1 linear. The broker "
          + "runs in the same process, and its CPU time counts."
    },
    footer = "  abacus bench growth --only groups -o json")
final class GrowthCommand extends BenchmarkCommand<List<GrowthCommand.Growth>> {

  private static final int PARTITIONS = 2;
  private static final int IN_FLIGHT = 500;
  private static final int WARM_UP = 10_000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "RELEASE",
      description = "What to vary (default: all): ${COMPLETION-CANDIDATES}.")
  private List<MassRelease> only = List.of(MassRelease.values());

  /** CPU milliseconds of a result, by the number of results. */
  record Point(int value, double cpuMillis) {}

  /**
   * What one kind of release costs.
   *
   * @param exponent e of the power law cpuMillis ~ value^e that fits best: 0 is constant, 1 linear
   */
  record Growth(String axis, List<Point> points, double exponent) {

    static Growth of(MassRelease release, List<Point> points) {
      double exponent =
          Statistics.slope(
              points.stream().mapToDouble(one -> Math.log(one.value())).toArray(),
              points.stream().mapToDouble(one -> Math.log(one.cpuMillis())).toArray());
      return new Growth(release.toString(), List.copyOf(points), exponent);
    }
  }

  @Override
  protected List<Growth> measure() throws InterruptedException {
    List<Growth> all = new ArrayList<>();
    try (BenchmarkCluster cluster = new BenchmarkCluster(PARTITIONS)) {
      var _ = cpuMillis(cluster, "growth-warm-up", MassRelease.GROUPS, WARM_UP);
      for (MassRelease release : only) {
        List<Point> points = new ArrayList<>();
        for (int value : release.points()) {
          String name = "growth-%s-%d".formatted(release, value);
          points.add(new Point(value, cpuMillis(cluster, name, release, value)));
        }
        all.add(Growth.of(release, points));
      }
    }
    return all;
  }

  private double cpuMillis(BenchmarkCluster cluster, String name, MassRelease release, int number)
      throws InterruptedException {
    BenchmarkProgram program = release.program(name);
    cluster.create(program);
    try (KafkaStreams worker =
        cluster.worker(program, program.services(_ -> BenchmarkModel.ANSWER), IN_FLIGHT, name)) {
      worker.start();
      MassRelease.Released released =
          release.measure(cluster.connection(), program, number, worker);
      step(
          String.format(
              Locale.ROOT,
              "%s: %.2f ms of CPU time, at most %.1f s without a result",
              name,
              released.cpuMillis(),
              released.silence().toMillis() / 1000.0));
      return released.cpuMillis();
    }
  }

  /** CPU time of this process so far. */
  static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Override
  protected void print(List<Growth> all) {
    for (Growth growth : all) {
      line("%s: exponent %.2f", growth.axis(), growth.exponent());
      growth.points().forEach(one -> line("%8d %9.3f ms", one.value(), one.cpuMillis()));
    }
  }
}
