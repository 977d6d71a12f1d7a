package dev.abacus.optimizer.search.rule;

import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/** Finds logical expressions that mean the same as a given one. */
public non-sealed interface TransformationRule extends Rule {

  /** Whether the operators are of the kinds of this rule, and may change places. */
  boolean matches(LogicalOperator upper, LogicalOperator lower);

  /**
   * Adds to the memo what a logical expression over another may be replaced by.
   *
   * @param lower an expression of the group below {@code upper}
   * @return what was added, new or not; empty where the rule does not fire
   */
  List<Memo.Added> apply(LogicalExpression upper, LogicalExpression lower, Memo memo);
}
