package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.MetricVector;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The expected behaviour of one implementation of one operator for one input (paper, section 2.3).
 *
 * @param quality in [0, 1]
 * @param cost USD per input
 * @param latency seconds
 * @param selectivity outputs per input; at most 1 for a filter
 */
@RecordBuilder
public record OperatorEstimate(double quality, double cost, double latency, double selectivity)
    implements OperatorEstimateBuilder.With {

  /** The estimate of an operator that needs no model: exact, without cost and latency. */
  public static final OperatorEstimate RELATIONAL = new OperatorEstimate(1, 0, 0, 1);

  public OperatorEstimate {
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
    requireAmount("cost", cost);
    requireAmount("latency", latency);
    requireAmount("selectivity", selectivity);
  }

  /** The estimate as a metric vector; its cardinality is the selectivity. */
  public MetricVector vector() {
    return new MetricVector(quality, cost, latency, selectivity);
  }

  private static void requireAmount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " " + amount + " is not a number >= 0");
    }
  }
}
