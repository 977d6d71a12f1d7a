package dev.abacus.optimizer.search.pareto;

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

  private static final int DROPPED_BITS = 10;

  /** Of the source itself: nothing done, nothing lost, nothing paid, one document. */
  public static final MetricVector SOURCE = new MetricVector(1, 0, 0, 1);

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

  /**
   * This vector without its last binary digits (42 of 52 stay, a relative 2e-13). Sums and products
   * of the same numbers in another order differ in those digits alone; without them they compare
   * equal.
   */
  public MetricVector rounded() {
    return new MetricVector(
        rounded(quality), rounded(cost), rounded(latency), rounded(cardinality));
  }

  /** {@link #rounded()} of one value. */
  public static double rounded(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return Double.longBitsToDouble((bits + (1L << (DROPPED_BITS - 1))) & -(1L << DROPPED_BITS));
  }
}
