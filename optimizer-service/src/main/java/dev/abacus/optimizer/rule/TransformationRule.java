package dev.abacus.optimizer.rule;

import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.Memo;
import java.util.List;

/** Finds logical expressions that mean the same as a given one. */
public non-sealed interface TransformationRule extends Rule {

  /**
   * Adds to the memo what a logical expression may be replaced by. Every logical expression of the
   * group below it must be known by now.
   *
   * @return what was added, new or not; empty where the rule does not fire
   */
  List<Memo.Added> apply(LogicalExpression expression, Memo memo);
}
