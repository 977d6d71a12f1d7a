package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.MetricVector;

/**
 * What one implementation of one operator is expected to do with one input.
 *
 * @param quality in [0, 1]
 * @param cost USD per input
 * @param latency seconds
 * @param selectivity outputs per input; at most 1 for a filter
 */
public record OperatorEstimate(double quality, double cost, double latency, double selectivity) {

  /** Of an operator that needs no model: exact, free and instant. */
  public static final OperatorEstimate RELATIONAL = new OperatorEstimate(1, 0, 0, 1);

  public OperatorEstimate {
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
    requireAmount("cost", cost);
    requireAmount("latency", latency);
    requireAmount("selectivity", selectivity);
  }

  /** As a vector to compare by; selectivity is its cardinality. */
  public MetricVector vector() {
    return new MetricVector(quality, cost, latency, selectivity);
  }

  private static void requireAmount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " " + amount + " is not a number >= 0");
    }
  }
}
