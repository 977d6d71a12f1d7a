package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;

/**
 * A filter that does not read what a map writes goes first, and the map is spared what it drops.
 *
 * <pre>{@code
 * filter           map
 *   |               |
 *  map     ==>    filter
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: the filter sees the same values of the fields that it reads, so it keeps
 * the same documents; and the map sees those documents as it did before, since a filter changes
 * none. A filter that reads every field reads what the map writes, and stays.
 */
public final class PushFilterBelowMap extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticFilter filter
        && lower instanceof SemanticMap map
        && Legality.independent(filter, map);
  }
}
