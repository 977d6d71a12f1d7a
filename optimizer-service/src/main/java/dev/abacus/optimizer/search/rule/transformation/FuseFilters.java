package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.RewriteRule;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * Two neighbouring filters become one that asks for both conditions in one call.
 *
 * <pre>{@code
 * filter g
 *    |
 * filter f    ==>    filter f+g (f and g)
 *    |                    |
 *  input                input
 * }</pre>
 *
 * <p>Meaning is preserved: a document passes if and only if it passes both.
 */
public final class FuseFilters implements RewriteRule {

  @Override
  public int width() {
    return 2;
  }

  @Override
  public List<LogicalOperator> rewrite(List<LogicalOperator> neighbours) {
    if (!(neighbours.getFirst() instanceof SemanticFilter lower)
        || !(neighbours.getLast() instanceof SemanticFilter upper)) {
      return List.of();
    }
    List<String> conditions = new ArrayList<>(lower.conditions());
    conditions.addAll(upper.conditions());
    return List.of(
        new SemanticFilter(
            DerivedIds.fused(List.of(lower.id(), upper.id())),
            lower.input(),
            conditions,
            Legality.readsOfBoth(lower, upper)));
  }
}
