package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench limits}. */
@Command(
    name = "limits",
    description = {
      "Measure what a worker gets out of endpoints that refuse calls (429): scattered refusals, a burst, and limits",
      "that are stated, learnt, or change. Half of the calls that an endpoint with a limit gets at the start are too",
      "many. Changes happen after a quarter of the time. Refusals at any rate count from the start, what a limit allows",
      "in the last quarter. Fails if a target is missed."
    },
    footer = "  abacus bench limits --only limit-doubled,limit-halved -o json")
public final class LimitsCommand extends BenchmarkCommand<List<LimitsBenchmark.Use>> {

  @Option(
      names = "--seconds",
      defaultValue = "60s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Duration of each measurement (default: ${DEFAULT-VALUE}).")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ENDPOINT",
      description = "Endpoints (default: all): ${COMPLETION-CANDIDATES}.")
  private Set<LimitsBenchmark.Endpoint> only = Set.of(LimitsBenchmark.Endpoint.values());

  @Override
  protected Benchmark<List<LimitsBenchmark.Use>> benchmark() {
    return new LimitsBenchmark(only, duration, this::step)::run;
  }

  @Override
  protected @Nullable String violation(List<LimitsBenchmark.Use> uses) {
    String missed =
        uses.stream()
            .filter(use -> !use.isMet())
            .map(use -> use.endpoint().toString())
            .collect(Collectors.joining(", "));
    return missed.isEmpty() ? null : "targets are missed: " + missed;
  }
}
