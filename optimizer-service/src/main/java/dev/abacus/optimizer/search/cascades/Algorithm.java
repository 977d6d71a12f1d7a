package dev.abacus.optimizer.search.cascades;

/** Which subplans of a group the search combines with further operators. */
public enum Algorithm {
  /** The Pareto frontier (paper, section 3.2). Exact under the cost model. */
  PARETO,
  /**
   * A single subplan: the best by the target among those that meet all bounds, or the best of all
   * if none does (paper, section 4.4, ablation). Myopic: later operators may break a bound that a
   * more expensive subplan would have met.
   */
  GREEDY,
  /**
   * A single subplan: the best by the target; bounds are ignored (paper, section 3.1). Exact
   * without bounds, except for minimum cost if implementations of one operator differ in
   * selectivity: a more expensive filter that drops more documents can make the plan cheaper.
   */
  CASCADES
}
