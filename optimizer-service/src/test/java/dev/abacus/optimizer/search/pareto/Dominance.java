package dev.abacus.optimizer.search.pareto;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Pareto dominance over some metrics (paper, section 3.2): {@code a} dominates {@code b} if it is
 * no worse in every metric and better in at least one. A strict partial order.
 *
 * @param metrics at least one
 */
public record Dominance(Set<Metric> metrics) {

  public Dominance {
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("no metric to compare by");
    }
    metrics = Collections.unmodifiableSet(EnumSet.copyOf(metrics));
  }

  /** Whether {@code a} is no worse in every metric and better in at least one. */
  public boolean dominates(OperatorEstimate a, OperatorEstimate b) {
    return covers(a, b) && !covers(b, a);
  }

  /** Whether {@code a} is no worse in every metric; true for equal vectors. */
  public boolean covers(OperatorEstimate a, OperatorEstimate b) {
    for (Metric metric : metrics) {
      if (metric.badness(a.get(metric)) > metric.badness(b.get(metric))) {
        return false;
      }
    }
    return true;
  }
}
