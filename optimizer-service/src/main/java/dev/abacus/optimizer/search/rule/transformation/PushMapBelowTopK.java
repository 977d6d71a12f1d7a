package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.TopK;

/**
 * A map goes ahead of a search that it does not depend on, and with it may go a filter that needs
 * the map.
 *
 * <pre>{@code
 *  map            top-k
 *   |               |
 * top-k    ==>     map
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes, so both see what they saw, and they
 * write different fields.
 */
public final class PushMapBelowTopK extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticMap one
        && lower instanceof TopK other
        && Legality.independent(one, other);
  }
}
