package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench growth}. */
@Command(
    name = "growth",
    description = {
      "Measure the CPU time of a document against operators, size of documents, programs of a worker, documents in",
      "flight and items of a reference, and that of a result against the groups that one watermark closes and the",
      "partners that one document meets. The exponent is that of the power law that fits: 0 is constant, 1 linear.",
      "Broker and simulated model run in the same process, and their CPU time counts. Takes about ten minutes."
    },
    footer = {"%nExample:", "  abacus bench growth --only operators,in-flight -o json"})
final class GrowthCommand extends BenchmarkCommand<GrowthBenchmark, List<GrowthBenchmark.Growth>> {

  private static final int BAR = 40;

  @Option(
      names = "--documents",
      defaultValue = "6000",
      description = "Documents of a measurement, a fifth if large (default: ${DEFAULT-VALUE}).")
  private int documents = 6_000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "AXIS",
      description = "What to vary (default: all): ${COMPLETION-CANDIDATES}.")
  private List<GrowthBenchmark.Axis> only = List.of(GrowthBenchmark.Axis.values());

  @Override
  protected GrowthBenchmark options() {
    return new GrowthBenchmark(documents, only, this::step);
  }

  @Override
  protected List<GrowthBenchmark.Growth> measure(GrowthBenchmark benchmark)
      throws InterruptedException {
    return benchmark.run();
  }

  @Override
  protected void print(List<GrowthBenchmark.Growth> all) {
    all.forEach(this::print);
  }

  private void print(GrowthBenchmark.Growth growth) {
    double most =
        growth.points().stream().mapToDouble(GrowthBenchmark.Point::cpuMillis).max().orElse(1);
    line("%s: exponent %.2f", growth.axis(), growth.exponent());
    for (GrowthBenchmark.Point one : growth.points()) {
      line(
          "%8d %9.3f ms  %s",
          one.value(),
          one.cpuMillis(),
          "#".repeat(Math.max(1, (int) Math.round(BAR * one.cpuMillis() / most))));
    }
  }
}
