package dev.abacus.optimizer.search.pareto;

import dev.abacus.schemas.plan.Estimate;
import java.util.Comparator;

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

  /** The source without operators: quality 1, no cost, no latency, one document. */
  public static final MetricVector SOURCE = new MetricVector(1, 0, 0, 1);

  /** Orders by quality, cost and latency; better values first. */
  public static final Comparator<MetricVector> BEST_FIRST =
      Comparator.comparingDouble((MetricVector vector) -> -vector.quality)
          .thenComparingDouble(MetricVector::cost)
          .thenComparingDouble(MetricVector::latency);

  public MetricVector {
    if (Double.isNaN(quality + cost + latency + cardinality)) {
      throw new IllegalArgumentException(
          "not a number among quality %s, cost %s, latency %s, cardinality %s"
              .formatted(quality, cost, latency, cardinality));
    }
  }

  /** A vector with cardinality 1. */
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

  /** The values in columns, such that smaller is better. */
  public double[] row(Metric[] columns) {
    double[] row = new double[columns.length];
    for (int column = 0; column < row.length; column++) {
      row[column] = columns[column].badness(get(columns[column]));
    }
    return row;
  }

  /**
   * This vector rounded to 42 of 52 fraction bits (relative error 2e-13). Sums and products of the
   * same numbers in another order differ only in the removed bits, and compare equal after
   * rounding.
   */
  public MetricVector rounded() {
    return new MetricVector(
        rounded(quality), rounded(cost), rounded(latency), rounded(cardinality));
  }

  /** Rounds one value as {@link #rounded()} does. */
  public static double rounded(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return Double.longBitsToDouble((bits + (1L << (DROPPED_BITS - 1))) & -(1L << DROPPED_BITS));
  }
}
