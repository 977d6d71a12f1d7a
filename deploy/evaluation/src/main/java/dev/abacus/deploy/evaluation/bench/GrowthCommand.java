package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.Output;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus bench growth}. */
@Command(
    name = "growth",
    description = {
      "Measure the CPU time of a document against operators, size of documents, programs of a worker, documents in",
      "flight and items of a reference. The exponent is that of the power law that fits: 0 is constant, 1 linear.",
      "Broker and simulated model run in the same process, and their CPU time counts. Takes about three minutes."
    },
    footer = {"%nExample:", "  abacus bench growth --only operators,in-flight -o json"})
final class GrowthCommand implements Runnable {

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

  @Mixin private Output output = new Output();

  @Spec private @Nullable CommandSpec command;

  @Override
  public void run() {
    GrowthBenchmark benchmark = benchmark();
    output.note("Model calls are simulated: they only wait.");
    try {
      List<GrowthBenchmark.Growth> all = benchmark.run();
      if (output.json()) {
        output.value(all);
      } else {
        all.forEach(this::print);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private GrowthBenchmark benchmark() {
    try {
      return new GrowthBenchmark(documents, only, what -> output.note("  " + what));
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private void print(GrowthBenchmark.Growth growth) {
    double most =
        growth.points().stream().mapToDouble(GrowthBenchmark.Point::cpuMillis).max().orElse(1);
    output.line("%s: exponent %.2f".formatted(growth.axis(), growth.exponent()));
    for (GrowthBenchmark.Point one : growth.points()) {
      output.line(
          String.format(
              Locale.ROOT,
              "%8d %9.3f ms  %s",
              one.value(),
              one.cpuMillis(),
              "#".repeat(Math.max(1, (int) Math.round(BAR * one.cpuMillis() / most)))));
    }
  }
}
