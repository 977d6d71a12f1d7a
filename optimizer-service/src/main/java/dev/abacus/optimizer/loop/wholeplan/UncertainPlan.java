package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * A plan with a normal distribution of each of its metrics.
 *
 * @param values by dimension
 */
public record UncertainPlan(PlanChoice plan, Map<Dimension, Value> values) {

  private static final double LEAST_QUALITY = 1e-3;
  private static final double SEARCH_WEIGHT = 0.5;
  private static final double LEAST_DEVIATION = 1e-9;

  /** Deviations where none is known: of a quality, and of the logarithm of cost and latency. */
  private static final double UNKNOWN_QUALITY = 0.25;

  private static final double UNKNOWN_RATIO = 0.5;

  /** A mean with its standard deviation. */
  record Value(double mean, double deviation) {

    /**
     * The mean of this estimate and a measurement, weighted by their precisions. The estimate
     * counts with half its weight (a power prior; Ibrahim and Chen 2000), because the search chose
     * the plan by it: the best of many estimates errs by more than its deviation. If both differ by
     * more than their deviations explain, the estimate counts less (as by the variance between
     * studies of DerSimonian and Laird 1986).
     */
    Value with(MeasuredMean measured) {
      double noise = Math.max(LEAST_DEVIATION, measured.error() * measured.error());
      double difference = measured.mean() - mean;
      double prior =
          Math.max(
              Math.max(LEAST_DEVIATION, deviation * deviation / SEARCH_WEIGHT),
              difference * difference - noise);
      double weight = noise / (noise + prior);
      return new Value(
          weight * mean + (1 - weight) * measured.mean(),
          Math.sqrt(noise * prior / (noise + prior)));
    }
  }

  /**
   * The plan by the estimates of its implementations. Their errors are independent, so variances
   * add up: relative ones of quality, which is a product, absolute ones of cost and latency.
   */
  public static UncertainPlan of(PlanChoice plan, Collection<Belief> beliefs) {
    double quality = 0;
    double cost = 0;
    double latency = 0;
    double costs = 0;
    double latencies = 0;
    for (Belief belief : beliefs) {
      OperatorEstimate mean = belief.mean();
      quality +=
          square(
              known(belief.qualityDeviation(), UNKNOWN_QUALITY)
                  / Math.max(LEAST_QUALITY, mean.quality()));
      cost += square(mean.cost() * known(belief.costDeviation(), UNKNOWN_RATIO));
      latency += square(mean.latency() * known(belief.latencyDeviation(), UNKNOWN_RATIO));
      costs += mean.cost();
      latencies += mean.latency();
    }
    Map<Dimension, Value> values = new EnumMap<>(Dimension.class);
    for (Dimension dimension : Dimension.values()) {
      double mean = plan.estimate().get(dimension);
      double relative =
          switch (dimension) {
            case QUALITY -> Math.sqrt(quality);
            case COST -> costs > 0 ? Math.sqrt(cost) / costs : 0;
            case LATENCY -> latencies > 0 ? Math.sqrt(latency) / latencies : 0;
          };
      values.put(dimension, new Value(mean, mean * relative));
    }
    return new UncertainPlan(plan, values);
  }

  private static double known(double deviation, double otherwise) {
    return deviation > 0 ? deviation : otherwise;
  }

  private static double square(double x) {
    return x * x;
  }

  /** The plan with measurements taken into account. */
  UncertainPlan with(Map<Dimension, MeasuredMean> measured) {
    Map<Dimension, Value> updated = new EnumMap<>(values);
    measured.forEach((dimension, mean) -> updated.put(dimension, get(dimension).with(mean)));
    return new UncertainPlan(plan, updated);
  }

  Value get(Dimension dimension) {
    return Objects.requireNonNull(values.get(dimension));
  }

  /** The probability that a bound holds. */
  double probability(Bound bound) {
    Value value = get(bound.dimension());
    double margin =
        bound.dimension() == Dimension.QUALITY
            ? value.mean() - bound.limit()
            : bound.limit() - value.mean();
    return Quantiles.normalBelow(margin / Math.max(LEAST_DEVIATION, value.deviation()));
  }

  /** The probability of the bound that is least likely to hold; 1 without bounds. */
  public double probability(Objective objective) {
    return objective.bounds().stream().mapToDouble(this::probability).min().orElse(1);
  }
}
