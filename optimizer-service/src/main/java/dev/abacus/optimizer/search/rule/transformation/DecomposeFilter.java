package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.RewriteRule;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * A conjunctive filter becomes one filter per condition, each with an implementation and a place of
 * its own.
 *
 * <pre>{@code
 *                                filter f.2 (condition 2)
 *                                     |
 * filter f (1 and 2)   ==>       filter f.1 (condition 1)
 *     |                               |
 *   input                           input
 * }</pre>
 *
 * <p>Meaning is preserved: a document passes all of the parts if and only if every condition holds.
 */
public final class DecomposeFilter implements RewriteRule {

  @Override
  public int width() {
    return 1;
  }

  @Override
  public List<LogicalOperator> rewrite(List<LogicalOperator> neighbours) {
    if (!(neighbours.getFirst() instanceof SemanticFilter filter)
        || filter.conditions().size() < 2) {
      return List.of();
    }
    List<LogicalOperator> parts = new ArrayList<>();
    String input = filter.input();
    for (String condition : filter.conditions()) {
      String id = DerivedIds.part(filter.id(), parts.size() + 1);
      parts.add(new SemanticFilter(id, input, condition, filter.reads()));
      input = id;
    }
    return parts;
  }
}
