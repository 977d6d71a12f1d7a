package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import org.jspecify.annotations.Nullable;

/**
 * A logical expression with an implementation of its operator (paper, section 3.1).
 *
 * @param physical id of the implementation
 * @param perInput what it does with one input; its cardinality is the selectivity
 * @param branches for a merge, the plan of both branches; otherwise null
 */
public record PhysicalExpression(
    LogicalExpression logical,
    String physical,
    OperatorEstimate perInput,
    @Nullable Subplan branches) {

  /** The expression of an operator that has no branches. */
  public PhysicalExpression(LogicalExpression logical, String physical, OperatorEstimate perInput) {
    this(logical, physical, perInput, null);
  }
}
