package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench growth}. */
@Command(
    name = "growth",
    description = {
      "Measure the CPU time of a result against the groups that one watermark closes and the partners that one",
      "document meets. The exponent is that of the power law that fits: 0 is constant, 1 linear. The broker runs in",
      "the same process, and its CPU time counts."
    },
    footer = "  abacus bench growth --only groups -o json")
final class GrowthCommand extends BenchmarkCommand<List<GrowthBenchmark.Growth>> {

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "RELEASE",
      description = "What to vary (default: all): ${COMPLETION-CANDIDATES}.")
  private List<MassRelease> only = List.of(MassRelease.values());

  @Override
  protected Benchmark<List<GrowthBenchmark.Growth>> benchmark() {
    return new GrowthBenchmark(only, this::step)::run;
  }

  @Override
  protected void print(List<GrowthBenchmark.Growth> all) {
    for (GrowthBenchmark.Growth growth : all) {
      line("%s: exponent %.2f", growth.axis(), growth.exponent());
      growth.points().forEach(one -> line("%8d %9.3f ms", one.value(), one.cpuMillis()));
    }
  }
}
