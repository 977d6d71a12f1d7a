package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
public final class StartUpCommand
    extends BenchmarkCommand<StartUpBenchmark, StartUpBenchmark.Report> {

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

  /** Used by picocli. */
  public StartUpCommand() {}

  @Override
  protected StartUpBenchmark options() {
    return new StartUpBenchmark(launcher, repetitions, latency, this::step);
  }

  @Override
  protected StartUpBenchmark.Report measure(StartUpBenchmark benchmark)
      throws IOException, InterruptedException {
    return benchmark.run();
  }

  @Override
  protected void print(StartUpBenchmark.Report report) {
    line(
        "first result after %.1f s in the median of %d starts",
        report.medianSeconds(), report.starts().size());
  }
}
