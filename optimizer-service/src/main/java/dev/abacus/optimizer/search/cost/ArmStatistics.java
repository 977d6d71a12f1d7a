package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.observation.Observation;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The observations of one implementation of one operator (an arm of the bandit), summarized.
 *
 * @param samples number of observations, including those without a score
 * @param failures number of observations without a valid answer; quality 0 at their real cost
 * @param unknown number of observations without a score; they count for everything but quality
 * @param examples ids of the observed validation examples
 * @param quality null if no observation has a score
 * @param selectivity of the observations with an answer; null if all failed
 */
public record ArmStatistics(
    int samples,
    int failures,
    int unknown,
    Set<String> examples,
    @Nullable SampleSummary quality,
    SampleSummary cost,
    SampleSummary latency,
    @Nullable SampleSummary selectivity) {

  /**
   * Summarizes observations.
   *
   * @param observations at least one; sums are taken in this order
   */
  public static ArmStatistics of(Collection<Observation> observations) {
    List<Observation> answered = observations.stream().filter(ArmStatistics::answered).toList();
    List<Observation> scored =
        observations.stream().filter(observation -> observation.quality() != null).toList();
    Set<String> examples = new TreeSet<>();
    observations.forEach(observation -> examples.add(observation.exampleId()));
    return new ArmStatistics(
        observations.size(),
        observations.size() - answered.size(),
        observations.size() - scored.size(),
        examples,
        summary(scored, observation -> Objects.requireNonNull(observation.quality())),
        Objects.requireNonNull(summary(observations, Observation::cost)),
        Objects.requireNonNull(summary(observations, Observation::latency)),
        summary(answered, Observation::outputCount));
  }

  public ArmStatistics {
    examples = Collections.unmodifiableSet(new TreeSet<>(examples));
  }

  /** The summary of a metric; cardinality is selectivity. Null if unknown. */
  public @Nullable SampleSummary get(Metric metric) {
    return switch (metric) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
      case CARDINALITY -> selectivity;
    };
  }

  /**
   * The means, or null if the quality is unknown. If every sample failed, the selectivity is 1, so
   * that a failure does not make later operators cheaper.
   */
  public @Nullable OperatorEstimate estimate() {
    return quality == null
        ? null
        : new OperatorEstimate(
            quality.mean(),
            cost.mean(),
            latency.mean(),
            selectivity == null ? 1 : selectivity.mean());
  }

  private static boolean answered(Observation observation) {
    return switch (observation.outcome()) {
      case KEPT, DROPPED -> true;
      case FAILED, EMBEDDED, UNAVAILABLE -> false;
    };
  }

  private static @Nullable SampleSummary summary(
      Collection<Observation> observations, ToDoubleFunction<Observation> value) {
    return observations.isEmpty()
        ? null
        : SampleSummary.of(observations.stream().mapToDouble(value).toArray());
  }
}
