package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.RewriteRule;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import java.util.ArrayList;
import java.util.List;

/**
 * Two neighbouring maps become one that does the work of both in one call: the document is read
 * once, and paid for once.
 *
 * <pre>{@code
 * map b
 *   |
 * map a    ==>    map a+b
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads or replaces what the other writes, and each makes one
 * output of a document, so all fields are filled from the same input. How well one call does two
 * things is for samples to tell.
 */
public final class FuseMaps implements RewriteRule {

  @Override
  public int width() {
    return 2;
  }

  @Override
  public List<LogicalOperator> rewrite(List<LogicalOperator> neighbours) {
    if (!(neighbours.getFirst() instanceof SemanticMap lower)
        || !(neighbours.getLast() instanceof SemanticMap upper)
        || lower.cardinality() != Cardinality.ONE
        || upper.cardinality() != Cardinality.ONE
        || !Legality.independent(upper, lower)) {
      return List.of();
    }
    List<Field> writes = new ArrayList<>(lower.writes());
    writes.addAll(upper.writes());
    return List.of(
        new SemanticMap(
            DerivedIds.fused(List.of(lower.id(), upper.id())),
            lower.input(),
            String.join("\n", "Do both of the following.", part(1, lower), part(2, upper)),
            Legality.readsOfBoth(lower, upper),
            writes));
  }

  private static String part(int number, SemanticMap map) {
    return String.join(
        "",
        Integer.toString(number),
        ". For ",
        String.join(", ", map.writtenFields()),
        ": ",
        map.instruction());
  }
}
