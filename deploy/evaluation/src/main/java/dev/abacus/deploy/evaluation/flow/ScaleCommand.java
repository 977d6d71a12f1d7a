package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench scale}. */
@Command(
    name = "scale",
    description = {
      "Measure scaling under full load: one worker becomes several and one again. Prints the longest time",
      "without a result of a partition, throughput beside one worker's, and lost or duplicate documents.",
      "Workers run in separate JVMs; models are simulated."
    },
    footer = {"%nExample:", "  abacus bench scale --workers 4 -X num.standby.replicas=1 -o json"})
public final class ScaleCommand extends BenchmarkCommand<ScaleBenchmark.Options, ScaleReport> {

  @Option(
      names = "--workers",
      defaultValue = "4",
      description = "Workers to scale to (default: ${DEFAULT-VALUE}).")
  private int workers = 4;

  @Option(
      names = "--in-flight",
      defaultValue = "20",
      description = "Documents in flight per worker (default: ${DEFAULT-VALUE}).")
  private int inFlight = 20;

  @Option(
      names = "--between",
      defaultValue = "0s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Time from the start or end of a worker to that of the next one (default: ${DEFAULT-VALUE}).")
  private Duration between = Duration.ZERO;

  @Option(
      names = "--settle",
      defaultValue = "30s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Time from the last start or end to the measurement of throughput (default: ${DEFAULT-VALUE}).")
  private Duration settle = Duration.ZERO;

  @Option(
      names = "--seconds",
      defaultValue = "15s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Duration of each measurement of throughput (default: ${DEFAULT-VALUE}).")
  private Duration phase = Duration.ZERO;

  @Option(names = "-X", paramLabel = "KEY=VALUE", description = "Property of the workers.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  /** Used by picocli. */
  public ScaleCommand() {}

  @Override
  protected ScaleBenchmark.Options options() {
    return new ScaleBenchmark.Options(
        workers,
        calls.latency(),
        inFlight,
        calls.partitions(),
        new ScaleBenchmark.Times(between, settle, phase),
        properties);
  }

  @Override
  protected ScaleReport measure(ScaleBenchmark.Options options)
      throws IOException, InterruptedException {
    return new ScaleBenchmark(options, this::step).run();
  }

  @Override
  protected @Nullable String violation(ScaleReport report) {
    return report.exact() ? null : "some documents were not processed exactly once";
  }
}
