package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.Output;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus bench search}. */
@Command(
    name = "search",
    description = {
      "Measure the time of Pareto-Cascades in ms: 5 maps x 505 candidates under a cost bound, 7 maps and 3",
      "filters x 1014 under bounds on cost and latency, 20 maps x 3000 under a cost bound; each with",
      "random, correlated and adversarial estimates (no candidate dominates another)."
    },
    footer = {"%nExample:", "  abacus bench search --repetitions 10 -o json"})
final class PlanSearchCommand implements Runnable {

  @Option(
      names = "--repetitions",
      defaultValue = "10",
      description = "Searches of each kind after the first (default: ${DEFAULT-VALUE}).")
  private int repetitions = 10;

  @Mixin private Output output = new Output();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (repetitions < 1) {
      String wrong = "--repetitions must be at least 1";
      throw spec == null
          ? new IllegalArgumentException(wrong)
          : new ParameterException(spec.commandLine(), wrong);
    }
    List<SearchReport> lines = new SearchBenchmark(repetitions, output::note).run();
    if (output.json()) {
      output.value(Map.of("searches", lines));
    } else {
      lines.forEach(line -> output.line(text(line)));
    }
  }

  private static String text(SearchReport line) {
    return String.format(
        Locale.ROOT,
        "%-36s %-12s first %7.1f ms, median %7.1f, worst %7.1f, processor %7.1f; epsilon %.2g, frontier of %d at epsilon %.2g, %d MB%s",
        line.workload(),
        line.estimates(),
        line.firstMillis(),
        line.medianMillis(),
        line.worstMillis(),
        line.medianCpuMillis(),
        line.epsilon(),
        line.frontier(),
        line.frontierEpsilon(),
        line.heapMegabytes(),
        line.feasible() ? "" : "; infeasible");
  }
}
