package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticMap;

/**
 * The way back of {@link PushMapBelowJoin}: a join that drops documents without a match goes ahead
 * of a dear map.
 *
 * <pre>{@code
 *  join           map
 *   |              |
 *  map    ==>     join
 *   |              |
 * input          input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes; the map sees the same fields on
 * every output of the join, and documents without a match are dropped in either order.
 */
public final class PushJoinBelowMap extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof ReferenceJoin one
        && lower instanceof SemanticMap other
        && Legality.independent(one, other);
  }
}
