package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench search}. */
@Command(
    name = "search",
    description = {
      "Measure the time of Pareto-Cascades in ms: 5 maps x 505 candidates under a cost bound, 7 maps and 3",
      "filters x 1014 under bounds on cost and latency, 20 maps x 3000 under a cost bound; each with",
      "random, correlated and adversarial estimates (no candidate dominates another)."
    },
    footer = "  abacus bench search --repetitions 10 -o json")
final class PlanSearchCommand extends BenchmarkCommand<Map<String, List<SearchReport>>> {

  @Option(
      names = "--repetitions",
      description = "Searches of each kind after the first (default: ${DEFAULT-VALUE}).")
  private int repetitions = 10;

  @Override
  protected Benchmark<Map<String, List<SearchReport>>> benchmark() {
    SearchBenchmark benchmark = new SearchBenchmark(repetitions, this::step);
    return () -> Map.of("searches", benchmark.run());
  }
}
