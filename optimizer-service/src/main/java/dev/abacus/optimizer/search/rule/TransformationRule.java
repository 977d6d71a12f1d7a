package dev.abacus.optimizer.search.rule;

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
 * order. With a rule that fires, it has the expression (lower over upper) too, and there is a group
 * of (upper over input).
 */
@FunctionalInterface
public interface TransformationRule {

  /** Whether the rule fires on an operator directly over another one. */
  boolean matches(LogicalOperator upper, LogicalOperator lower);
}
