package dev.abacus.deploy.evaluation.load;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of benchmarks with simulated model calls of a fixed latency. */
public final class SimulatedCalls {

  @Option(
      names = "--latency",
      defaultValue = "200ms",
      description = "Latency of a model call (default: ${DEFAULT-VALUE}).")
  private Duration latency = Duration.ZERO;

  @Option(
      names = "--partitions",
      description = "Partitions of the source topic (default: ${DEFAULT-VALUE}).")
  private int partitions = 4;

  public Duration latency() {
    return latency;
  }

  public int partitions() {
    return partitions;
  }
}
