package dev.abacus.optimizer.search.pareto;

import dev.abacus.schemas.objective.Dimension;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** The metrics of subplans and operators. Higher quality is better; for the others, lower is. */
public enum Metric {
  /** In [0, 1]. */
  QUALITY,
  /** USD. */
  COST,
  /** Seconds. */
  LATENCY,
  /** Outputs per source document; for a single operator, outputs per input. */
  CARDINALITY;

  /** The metric of a dimension of an objective. */
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

  /** Metrics as the columns of a table, in their own order. */
  public static Metric[] columns(Set<Metric> metrics) {
    return EnumSet.copyOf(metrics).toArray(new Metric[0]);
  }

  /** The value with its sign changed if higher is better, so that lower is better. */
  public double badness(double value) {
    return this == QUALITY ? -value : value;
  }
}
