package dev.abacus.optimizer.search.pareto;

import dev.abacus.schemas.objective.Dimension;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** What subplans and operators are compared by. Quality is better when higher, the rest lower. */
public enum Metric {
  /** In [0, 1]. */
  QUALITY,
  /** USD. */
  COST,
  /** Seconds. */
  LATENCY,
  /** Outputs per source document, or per input where a single operator is meant. */
  CARDINALITY;

  /** The metric that a dimension of an objective is measured by. */
  public static Metric of(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> QUALITY;
      case COST -> COST;
      case LATENCY -> LATENCY;
    };
  }

  /** The metrics of some dimensions. */
  public static Set<Metric> of(Collection<Dimension> dimensions) {
    Set<Metric> metrics = EnumSet.noneOf(Metric.class);
    dimensions.forEach(dimension -> metrics.add(of(dimension)));
    return metrics;
  }

  /** The value such that less is better. */
  double badness(double value) {
    return this == QUALITY ? -value : value;
  }
}
