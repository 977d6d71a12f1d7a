package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus bench chaos}. */
@Command(
    name = "chaos",
    description = {
      "Run programs while workers, optimizers and brokers are killed, stopped and restarted, "
          + "the provider fails and plans change, and judge the guarantees of docs/guarantees.md.",
      "Processes run in separate JVMs; models are simulated. Ends with exit code 1 if a "
          + "guarantee is violated, or was not tested although a program is about it."
    },
    footer = "  abacus bench chaos --minutes 30 --seed 7")
public final class ChaosCommand extends BenchmarkCommand<ChaosReport> {

  @Mixin private ChaosOptions options = new ChaosOptions();

  @Override
  protected void check() {
    options.check();
  }

  @Override
  protected ChaosReport measure() throws IOException {
    return ChaosRun.run(options, this::step);
  }

  @Override
  protected void print(ChaosReport report) {
    line(
        "seed %d: %d documents, %d outputs, %d answers, %s",
        report.seed(), report.documents(), report.outputs(), report.calls(), report.incidents());
    line("plans with what documents taught: %s", report.taught());
    report.verdicts().forEach(verdict -> line("%s", verdict.line()));
  }

  @Override
  protected @Nullable String violation(ChaosReport report) {
    return report.holds() ? null : "a guarantee was violated (--data DIR keeps the logs)";
  }

  @Override
  protected @Nullable String gap(ChaosReport report) {
    return report.untested().isEmpty()
        ? null
        : "no case came up of: " + String.join(", ", report.untested());
  }
}
