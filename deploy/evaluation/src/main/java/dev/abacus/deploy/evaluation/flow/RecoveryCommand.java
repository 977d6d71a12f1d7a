package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench recovery}. */
@Command(
    name = "recovery",
    description = {
      "Measure recovery after kill -9 of a worker under steady load: the time to the next result, the time to",
      "catch up, repeated model calls, and lost or duplicate documents. Workers run in separate JVMs; models",
      "are simulated."
    },
    footer = "  abacus bench recovery --takeover restart,survivor -X session.timeout.ms=10000 -o json")
public final class RecoveryCommand extends BenchmarkCommand<RecoveryReport> {

  @Option(
      names = "--takeover",
      split = ",",
      paramLabel = "WHO",
      description = {
        "restart (restarts the same worker), replacement (starts a worker without state) or survivor (a second",
        "worker already runs); default: all."
      })
  private List<Takeover> takeovers = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Kills per takeover (default: ${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--in-flight",
      description = "Documents in flight per worker (default: ${DEFAULT-VALUE}).")
  private int inFlight = 200;

  @Option(
      names = "--rate",
      defaultValue = "100",
      paramLabel = "N",
      description = "Documents per second (default: ${DEFAULT-VALUE}).")
  private double rate = 100;

  @Option(
      names = "--before",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "Time with documents before the kill (default: ${DEFAULT-VALUE}).")
  private Duration before = Duration.ZERO;

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Property of the workers, such as session.timeout.ms.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  @Override
  protected Benchmark<RecoveryReport> benchmark() {
    EnumSet<Takeover> wanted = EnumSet.noneOf(Takeover.class);
    wanted.addAll(takeovers);
    RecoveryOptions options =
        new RecoveryOptions(
            wanted,
            repetitions,
            calls.latency(),
            inFlight,
            rate,
            calls.partitions(),
            before,
            properties);
    return new RecoveryBenchmark(options, this::step)::run;
  }

  @Override
  protected @Nullable String violation(RecoveryReport report) {
    return report.exact() ? null : "some documents were not processed exactly once";
  }
}
