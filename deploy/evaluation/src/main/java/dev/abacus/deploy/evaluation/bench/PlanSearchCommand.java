package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.bench.SearchWorkload.SearchCase;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.Statistics;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench search}: measures the time of Pareto-Cascades alone. Every repetition draws
 * estimates with its number as seed.
 */
@Command(
    name = "search",
    description =
        "Measure the time of Pareto-Cascades in ms: 5 maps x 505 candidates under a cost "
            + "bound, 7 maps and 3 filters x 1014 under bounds on cost and latency, 20 maps x 3000 "
            + "under a cost bound; each with random, correlated and adversarial estimates (no "
            + "candidate dominates another).",
    footer = "  abacus bench search --repetitions 10 -o json")
final class PlanSearchCommand extends BenchmarkCommand<Map<String, List<SearchReport>>> {

  private static final double MEGABYTE = 1 << 20;

  @Option(
      names = "--repetitions",
      description = "Searches of each kind after the first (default: ${DEFAULT-VALUE}).")
  private int repetitions = 10;

  @Override
  protected void check() {
    if (repetitions < 1) {
      throw new IllegalArgumentException("--repetitions must be above 0");
    }
  }

  @Override
  protected Map<String, List<SearchReport>> measure() {
    List<SearchReport> lines = new ArrayList<>();
    for (SearchWorkload workload : SearchWorkload.values()) {
      for (SearchEstimates family : SearchEstimates.values()) {
        step("%s, %s estimates".formatted(workload.label(), family.label()));
        lines.add(measure(workload, family));
      }
    }
    return Map.of("searches", lines);
  }

  private SearchReport measure(SearchWorkload workload, SearchEstimates family) {
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    List<NamedSearchResult> results = new ArrayList<>();
    double heap = 0;
    for (int repetition = 0; repetition <= repetitions; repetition++) {
      SearchCase drawn = workload.draw(family, repetition + 1L);
      long started = System.nanoTime();
      long startedCpu = cpuNanos();
      results.add(drawn.search());
      cpu.add((cpuNanos() - startedCpu) / 1e6);
      wall.add((System.nanoTime() - started) / 1e6);
      Runtime runtime = Runtime.getRuntime();
      heap = Math.max(heap, (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE);
    }
    double first = wall.removeFirst();
    cpu.removeFirst();
    return new SearchReport(
        workload.label(),
        family.label(),
        first,
        Statistics.median(wall),
        wall.stream().max(Comparator.naturalOrder()).orElse(first),
        Statistics.median(cpu),
        worst(results, result -> result.statistics().epsilon()),
        worst(results, result -> result.statistics().frontierEpsilon()),
        (int)
            Statistics.median(
                results.stream().map(result -> (double) result.frontier().size()).toList()),
        results.stream().allMatch(NamedSearchResult::feasible),
        Math.round(heap));
  }

  private static double worst(
      List<NamedSearchResult> results, ToDoubleFunction<NamedSearchResult> epsilon) {
    return results.stream().mapToDouble(epsilon).max().orElse(0);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
