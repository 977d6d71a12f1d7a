package dev.abacus.optimizer.search.pareto;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Pareto dominance over some of the metrics: {@code a} dominates {@code b} if it is nowhere worse
 * and somewhere better. A strict partial order.
 *
 * @param metrics those that count; at least one
 */
public record Dominance(Set<Metric> metrics) {

  public Dominance {
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("no metric to compare by");
    }
    metrics = Collections.unmodifiableSet(EnumSet.copyOf(metrics));
  }

  /** Whether {@code a} is nowhere worse than {@code b} and somewhere better. */
  public boolean dominates(MetricVector a, MetricVector b) {
    return covers(a, b) && !covers(b, a);
  }

  /** Whether {@code a} is nowhere worse than {@code b}; true of equals. */
  public boolean covers(MetricVector a, MetricVector b) {
    for (Metric metric : metrics) {
      if (metric.badness(a.get(metric)) > metric.badness(b.get(metric))) {
        return false;
      }
    }
    return true;
  }
}
