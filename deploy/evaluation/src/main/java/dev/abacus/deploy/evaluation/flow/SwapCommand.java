package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench swap}. */
@Command(
    name = "swap",
    description = {
      "Measure plan swaps while documents flow: the delay of an activation, documents per second with and",
      "without swaps, and whether one plan processes every document exactly once. Uses a broker in the same",
      "process, exactly_once_v2 and two simulated model calls with a fixed latency per document."
    },
    footer = "  abacus bench swap --swaps 100 --workers 3 -o json")
public final class SwapCommand extends BenchmarkCommand<SwapReport> {

  @Option(names = "--in-flight", description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--every",
      defaultValue = "300ms",
      converter = DurationConverter.class,
      description = "Interval between plan swaps (default: ${DEFAULT-VALUE}).")
  private Duration every = Duration.ZERO;

  @Option(
      names = "--seconds",
      defaultValue = "8s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Duration of the warm-up and of each of the five phases (default: ${DEFAULT-VALUE}).")
  private Duration phase = Duration.ZERO;

  @Option(names = "--swaps", description = "Number of swaps at full load, instead of --seconds.")
  private int swaps;

  @Option(
      names = "--workers",
      description =
          "Workers in this process that share the documents in flight (default: ${DEFAULT-VALUE}).")
  private int workers = 1;

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  @Override
  protected Benchmark<SwapReport> benchmark() {
    SwapOptions options =
        new SwapOptions(calls.latency(), workers, inFlight, calls.partitions(), every, phase());
    return new SwapBenchmark(options, this::step)::run;
  }

  @Override
  protected @Nullable String violation(SwapReport report) {
    return report.exact() ? null : "some documents were not processed exactly once by one plan";
  }

  /** Two phases with swaps at full load make the wanted number. */
  private Duration phase() {
    return swaps == 0 ? phase : every.multipliedBy(swaps).dividedBy(2).plus(every);
  }
}
