package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.plan.Estimate;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Comparator;

/**
 * The expected behaviour of one implementation of one operator for one input (paper, section 2.3),
 * or of a chain of operators for one document that it starts with.
 *
 * @param quality in [0, 1]
 * @param cost USD per input
 * @param latency seconds
 * @param selectivity outputs per input, the cardinality of a chain; at most 1 for a filter
 */
@RecordBuilder
public record OperatorEstimate(double quality, double cost, double latency, double selectivity)
    implements OperatorEstimateBuilder.With {

  private static final int DROPPED_BITS = 10;

  /**
   * The estimate of an operator that needs no model, and of a source without operators: exact,
   * without cost and latency, one document.
   */
  public static final OperatorEstimate RELATIONAL = new OperatorEstimate(1, 0, 0, 1);

  /** Orders by quality, cost and latency; better values first. */
  public static final Comparator<OperatorEstimate> BEST_FIRST =
      Comparator.comparingDouble((OperatorEstimate estimate) -> -estimate.quality)
          .thenComparingDouble(OperatorEstimate::cost)
          .thenComparingDouble(OperatorEstimate::latency);

  public OperatorEstimate {
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
    requireAmount("cost", cost);
    requireAmount("latency", latency);
    requireAmount("selectivity", selectivity);
  }

  private static void requireAmount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " " + amount + " is not a number >= 0");
    }
  }

  /** The estimate of a whole plan. */
  public static OperatorEstimate of(Estimate plan) {
    return new OperatorEstimate(plan.quality(), plan.cost(), plan.latency(), 1);
  }

  /** The value of a metric; cardinality is selectivity. */
  public double get(Metric metric) {
    return switch (metric) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
      case CARDINALITY -> selectivity;
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
   * This estimate rounded to 42 of 52 fraction bits (relative error 2e-13). Sums and products of
   * the same numbers in another order differ only in the removed bits, and compare equal after
   * rounding.
   */
  public OperatorEstimate rounded() {
    return new OperatorEstimate(
        rounded(quality), rounded(cost), rounded(latency), rounded(selectivity));
  }

  /** Rounds one value as {@link #rounded()} does. */
  public static double rounded(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return Double.longBitsToDouble((bits + (1L << (DROPPED_BITS - 1))) & -(1L << DROPPED_BITS));
  }
}
