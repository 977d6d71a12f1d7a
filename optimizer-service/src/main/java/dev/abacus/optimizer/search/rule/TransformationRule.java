package dev.abacus.optimizer.search.rule;

import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/** Adds logical expressions that are equivalent to a given one (paper, section 3.1). */
public interface TransformationRule {

  /** Whether the rule fires on an operator directly over another one. */
  boolean matches(LogicalOperator upper, LogicalOperator lower);

  /**
   * Adds the equivalent expressions of {@code upper} over {@code lower} to the memo.
   *
   * @param lower an expression of the group that is the input of {@code upper}
   * @return the added expressions, including those that the memo already had; empty if the rule
   *     does not fire
   */
  List<Memo.Added> apply(LogicalExpression upper, LogicalExpression lower, Memo memo);
}
