package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.pareto.Metric;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one implementation of one operator (an arm of the bandit), summarized.
 *
 * @param samples number of measurements, including those without a score
 * @param failures number of measurements without a valid answer; quality 0 at their real cost
 * @param quality of the measurements with a score; null if no observation has a score
 * @param selectivity of the observations with an answer; null if all failed
 */
public record ArmStatistics(
    int samples,
    int failures,
    @Nullable SampleSummary quality,
    SampleSummary cost,
    SampleSummary latency,
    @Nullable SampleSummary selectivity) {

  /**
   * Summarizes measurements.
   *
   * @param measurements at least one; sums are taken in this order
   */
  public static ArmStatistics of(Collection<Measurement> measurements) {
    List<Measurement> answered = measurements.stream().filter(Measurement::answered).toList();
    List<Measurement> scored =
        measurements.stream().filter(measured -> measured.quality() != null).toList();
    return new ArmStatistics(
        measurements.size(),
        measurements.size() - answered.size(),
        summary(scored, measured -> Objects.requireNonNull(measured.quality())),
        Objects.requireNonNull(summary(measurements, Measurement::cost)),
        Objects.requireNonNull(summary(measurements, Measurement::latency)),
        summary(answered, Measurement::outputs));
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

  /** Whether no measurement has a valid answer. */
  public boolean alwaysFailed() {
    return failures == samples;
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

  private static @Nullable SampleSummary summary(
      Collection<Measurement> measurements, ToDoubleFunction<Measurement> value) {
    return measurements.isEmpty()
        ? null
        : SampleSummary.of(measurements.stream().mapToDouble(value).toArray());
  }
}
