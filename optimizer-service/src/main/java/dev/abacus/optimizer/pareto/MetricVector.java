package dev.abacus.optimizer.pareto;

import dev.abacus.schemas.plan.Estimate;

/**
 * One value of every metric.
 *
 * @param quality in [0, 1]
 * @param cost USD
 * @param latency seconds
 * @param cardinality outputs per input
 */
public record MetricVector(double quality, double cost, double latency, double cardinality) {

  public MetricVector {
    if (Double.isNaN(quality + cost + latency + cardinality)) {
      throw new IllegalArgumentException(
          "not a number among quality %s, cost %s, latency %s, cardinality %s"
              .formatted(quality, cost, latency, cardinality));
    }
  }

  /** The vector of an operator or plan of which cardinality does not matter. */
  public MetricVector(double quality, double cost, double latency) {
    this(quality, cost, latency, 1);
  }

  /** The vector of a whole plan. */
  public static MetricVector of(Estimate estimate) {
    return new MetricVector(estimate.quality(), estimate.cost(), estimate.latency());
  }

  public double get(Metric metric) {
    return switch (metric) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
      case CARDINALITY -> cardinality;
    };
  }
}
