package dev.abacus.optimizer.search.cascades;

/** What to choose where no plan meets every bound. */
public enum InfeasiblePolicy {
  /** The plan that is best by the target, as if there were no bounds (paper, section 3.2). */
  BEST_TARGET,
  /**
   * The plan with the least sum of violations, each relative to its bound; among equals the best by
   * the target.
   */
  LEAST_VIOLATION
}
