package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticMap;

/**
 * A map goes below a join that it does not depend on: a join may put out several documents, and the
 * map sees only one then.
 *
 * <pre>{@code
 *  map            join
 *   |              |
 *  join   ==>     map
 *   |              |
 * input          input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes. Every output of the join carries
 * what the map wrote to its document, as the map, being a question about the same fields, would
 * have written to each.
 */
public final class PushMapBelowJoin extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticMap one
        && lower instanceof ReferenceJoin other
        && Legality.independent(one, other);
  }
}
