package dev.abacus.optimizer.search.cascades;

import java.util.Locale;

/** Which subplans of a group are built upon. */
public enum Algorithm {
  /** All that nothing dominates (paper, section 3.2). Exact under the cost model. */
  PARETO,
  /**
   * One: the best by the target among those that break no bound so far, or the best of all if every
   * one does (paper, section 4.4, ablation). Myopic: what comes later may break a bound that a
   * dearer subplan would have left room for.
   */
  GREEDY,
  /**
   * One: the best by the target, whatever the bounds (paper, section 3.1). Exact where there are no
   * bounds, except for minimal cost where implementations of one operator differ in selectivity: a
   * dearer filter that drops more may make the whole cheaper.
   */
  CASCADES;

  /** The name users write. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
