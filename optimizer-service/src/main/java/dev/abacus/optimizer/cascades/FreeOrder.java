package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.Subplan;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The order of operators to take where all legal orders do the same: where every implementation
 * puts out one document per input, so that every operator sees every document. It is the one that
 * {@link Subplan#ORDER} would prefer among otherwise equal subplans; searching it alone gives what
 * searching all orders would, without trying every choice in every order.
 */
final class FreeOrder {

  private final Comparator<LogicalExpression> preference =
      Comparator.comparingInt((LogicalExpression one) -> lateness(one))
          .thenComparing(Comparator.comparingInt(LogicalExpression::position).reversed());

  private final Map<Group, Integer> lateness = new HashMap<>();

  /** The best expression of an explored group; it has at least one. */
  LogicalExpression preferred(Group group) {
    return group.logicalExpressions().stream().min(preference).orElseThrow();
  }

  /** How many maps come before filters, summed over the filters, in the best order. */
  private int lateness(LogicalExpression expression) {
    return lateness(expression.input()) + expression.mapsBefore();
  }

  private int lateness(Group group) {
    Integer known = lateness.get(group);
    if (known == null) {
      known = group.logicalExpressions().stream().mapToInt(this::lateness).min().orElse(0);
      lateness.put(group, known);
    }
    return known;
  }
}
