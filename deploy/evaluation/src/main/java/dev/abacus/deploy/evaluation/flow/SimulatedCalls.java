package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of benchmarks with simulated model calls of a fixed latency. */
public final class SimulatedCalls {

  @Option(
      names = "--latency",
      defaultValue = "200ms",
      converter = DurationConverter.class,
      description = "Latency of a model call (default: ${DEFAULT-VALUE}).")
  private Duration latency = Duration.ZERO;

  @Option(
      names = "--partitions",
      defaultValue = "4",
      description = "Partitions of the source topic (default: ${DEFAULT-VALUE}).")
  private int partitions = 4;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Used by picocli. */
  public SimulatedCalls() {}

  public Duration latency() {
    return latency;
  }

  public int partitions() {
    return partitions;
  }

  /**
   * Creates the options of a benchmark.
   *
   * @throws ParameterException if {@code create} throws an {@link IllegalArgumentException}
   */
  public <T> T check(Supplier<T> create) {
    try {
      return create.get();
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }
}
