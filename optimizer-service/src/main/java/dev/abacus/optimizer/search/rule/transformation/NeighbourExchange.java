package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.rule.TransformationRule;
import java.util.List;

/**
 * Exchanges an operator with the operator directly below it.
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
abstract class NeighbourExchange implements TransformationRule {

  @Override
  public final List<Memo.Added> apply(LogicalExpression upper, LogicalExpression lower, Memo memo) {
    if (!matches(upper.operator(), lower.operator())) {
      return List.of();
    }
    Memo.Added below = memo.add(upper.over(lower.input()));
    Memo.Added above = memo.add(lower.over(below.group()));
    return List.of(below, above);
  }
}
