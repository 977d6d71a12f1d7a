package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
public final class ScaleCommand implements Runnable {

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
  @Mixin private Output output = new Output();

  /** Used by picocli. */
  public ScaleCommand() {}

  @Override
  public void run() {
    ScaleBenchmark.Options options =
        calls.check(() ->
            new ScaleBenchmark.Options(
                workers,
                calls.latency(),
                inFlight,
                calls.partitions(),
                new ScaleBenchmark.Times(between, settle, phase),
                properties));
    output.note("Models are simulated.");
    ScaleReport report = measure(options);
    if (output.json()) {
      output.value(report);
    } else {
      output.line(String.format(Locale.ROOT, "1 worker    %.1f documents/s", report.one()));
      print(report.workers(), report.out());
      print(1, report.in());
      output.line(
          String.format(
              Locale.ROOT,
              "%d documents: %d lost, %d duplicates, %d dead letters; %d calls repeated",
              report.documents(),
              report.lost(),
              report.duplicates(),
              report.deadLetters(),
              report.callsRepeated()));
    }
    if (!report.exact()) {
      throw CommandFailure.failed(
          "some documents were not processed exactly once",
          "This is a bug; please report it with these results.");
    }
  }

  private ScaleReport measure(ScaleBenchmark.Options options) {
    try {
      return new ScaleBenchmark(options, what -> output.note("  " + what)).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new IllegalStateException("the simulated models failed: " + e.getMessage(), e);
    }
  }

  private void print(int count, ScaleReport.Change change) {
    output.line(
        String.format(
            Locale.ROOT,
            "%d %s  %.1f documents/s, %.2f of proportional; longest silence of a partition %.1f s",
            count,
            count == 1 ? "worker " : "workers",
            change.documentsPerSecond(),
            change.ofProportional(),
            change.longestSilenceSeconds()));
  }
}
