package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.evaluation.flow.DurationConverter;
import dev.abacus.deploy.evaluation.flow.SimulatedCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench throughput}. */
@Command(
    name = "throughput",
    description = {
      "Measure documents per second with exactly_once_v2, a broker in the same process and simulated model",
      "calls with a fixed latency, compared with a synchronous processor."
    },
    footer = {
      "%nExample:",
      "  abacus bench throughput --latency 200ms --in-flight 500 --documents 20000 -o json"
    })
final class ThroughputCommand implements Runnable {

  @Option(
      names = "--in-flight",
      defaultValue = "500",
      description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--documents",
      defaultValue = "20000",
      description = "Number of documents (default: ${DEFAULT-VALUE}).")
  private int documents = 20_000;

  @Option(
      names = "--synchronous",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description =
          "Duration of the synchronous measurement, 0s to skip it (default: ${DEFAULT-VALUE}).")
  private Duration synchronous = Duration.ZERO;

  @Option(
      names = "--http",
      description = "Call the simulated endpoint over HTTP; otherwise a call only waits.")
  private boolean http;

  @Mixin private SimulatedCalls calls = new SimulatedCalls();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    ThroughputOptions options = options();
    output.note("Model calls are simulated: they only wait.");
    ThroughputReport report = measure(options);
    if (output.json()) {
      output.value(report);
    } else {
      print(options, report);
    }
  }

  private ThroughputOptions options() {
    return calls.check(() ->
        new ThroughputOptions(
            calls.latency(), inFlight, documents, calls.partitions(), synchronous, http));
  }

  private ThroughputReport measure(ThroughputOptions options) {
    try (BenchProgress progress = new BenchProgress(options.documents(), output)) {
      return new ThroughputBenchmark(options, progress::show).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new IllegalStateException("the simulated endpoint did not start: " + e.getMessage(), e);
    }
  }

  private void print(ThroughputOptions options, ThroughputReport report) {
    output.line(
        String.format(
            Locale.ROOT,
            "asynchronous  %8.1f documents/s, %.3f of the ideal %.0f (%d in flight / %d ms)",
            report.documentsPerSecond(),
            report.ratioToIdeal(),
            report.idealDocumentsPerSecond(),
            options.inFlight(),
            calls.latency().toMillis()));
    if (report.synchronousDocumentsPerSecond() > 0) {
      output.line(
          String.format(
              Locale.ROOT,
              "synchronous   %8.1f documents/s; the asynchronous one is %.0f times as fast",
              report.synchronousDocumentsPerSecond(),
              report.ratioToSynchronous()));
    }
    output.line(
        String.format(
            Locale.ROOT,
            "%d documents in %.1f s, %d dead letters, %d duplicates; exactly_once_v2, broker in the same process, simulated model",
            report.documents(),
            report.seconds(),
            report.deadLetters(),
            report.duplicates()));
  }
}
