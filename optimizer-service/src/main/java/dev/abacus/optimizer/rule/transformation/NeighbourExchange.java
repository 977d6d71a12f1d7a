package dev.abacus.optimizer.rule.transformation;

import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.Memo;
import dev.abacus.optimizer.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets an operator change places with the one directly below it.
 *
 * <pre>{@code
 * upper           lower
 *   |               |
 * lower    ==>    upper
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>The group of (upper over lower) stays the same, a set of operators having no order; below it
 * the group of (upper over input) comes up.
 */
abstract class NeighbourExchange implements TransformationRule {

  /** Whether the operators are of the kinds of this rule, and may change places. */
  abstract boolean matches(LogicalOperator upper, LogicalOperator lower);

  @Override
  public final List<Memo.Added> apply(LogicalExpression upper, Memo memo) {
    List<Memo.Added> added = new ArrayList<>();
    for (LogicalExpression lower : List.copyOf(upper.input().logicalExpressions())) {
      if (matches(upper.operator(), lower.operator())) {
        Memo.Added below =
            memo.add(new LogicalExpression(upper.operator(), upper.position(), lower.input()));
        added.add(below);
        added.add(
            memo.add(new LogicalExpression(lower.operator(), lower.position(), below.group())));
      }
    }
    return added;
  }
}
