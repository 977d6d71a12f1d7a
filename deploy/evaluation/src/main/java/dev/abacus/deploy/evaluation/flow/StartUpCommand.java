package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cli.option.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus bench startup}. */
@Command(
    name = "startup",
    description = {
      "Measure the time from the start of a worker process to the first committed result: broker and simulated models",
      "run in this process, the worker is started by its launcher, with an empty state directory."
    },
    footer = {
      "%nExample:",
      "  abacus bench startup --launcher abacus-0.1.0/bin/abacus --repetitions 5 -o json"
    })
public final class StartUpCommand implements Runnable {

  @Option(
      names = "--launcher",
      required = true,
      paramLabel = "FILE",
      description = "bin/abacus of an installation, or abacus of a checkout.")
  private Path launcher = Path.of("");

  @Option(
      names = "--repetitions",
      defaultValue = "3",
      paramLabel = "N",
      description = "Starts (default: ${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--latency",
      defaultValue = "20ms",
      converter = DurationConverter.class,
      description = "Latency of each of the two model calls (default: ${DEFAULT-VALUE}).")
  private Duration latency = Duration.ZERO;

  @Mixin private Output output = new Output();

  @Spec private @Nullable CommandSpec command;

  /** Used by picocli. */
  public StartUpCommand() {}

  @Override
  public void run() {
    StartUpBenchmark benchmark = benchmark();
    output.note("Models are simulated.");
    try {
      StartUpBenchmark.Report report = benchmark.run();
      if (output.json()) {
        output.value(report);
      } else {
        output.line(
            String.format(
                Locale.ROOT,
                "first result after %.1f s in the median of %d starts",
                report.medianSeconds(),
                report.starts().size()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new IllegalStateException("cannot start: " + e.getMessage(), e);
    }
  }

  private StartUpBenchmark benchmark() {
    try {
      return new StartUpBenchmark(launcher, repetitions, latency, what -> output.note("  " + what));
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }
}
