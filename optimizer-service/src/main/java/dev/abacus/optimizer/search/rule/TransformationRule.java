package dev.abacus.optimizer.search.rule;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.schemas.program.LogicalOperator;

/**
 * Exchanges an operator with the operator directly below it (paper, section 3.1).
 *
 * <pre>{@code
 * upper           lower
 *   |               |
 * lower    ==>    upper
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>The group of both operators stays the same, because a group is a set of operators without an
 * order. The rule adds the expression (lower over upper) to it and, if necessary, creates the group
 * of (upper over input).
 */
public interface TransformationRule {

  /** Whether the rule fires on an operator directly over another one. */
  boolean matches(LogicalOperator upper, LogicalOperator lower);

  /**
   * Adds the equivalent expressions of {@code upper} over {@code lower} to the memo.
   *
   * @param lower an expression of the group that is the input of {@code upper}
   * @return whether the rule fires
   */
  default boolean apply(LogicalExpression upper, LogicalExpression lower, Memo memo) {
    boolean fires = matches(upper.operator(), lower.operator());
    if (fires) {
      Group below = memo.add(upper.over(lower.input()));
      memo.add(lower.over(below));
    }
    return fires;
  }
}
