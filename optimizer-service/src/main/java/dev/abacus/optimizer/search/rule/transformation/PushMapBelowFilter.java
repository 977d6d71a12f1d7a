package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;

/**
 * The way back of {@link PushFilterBelowMap}. By itself it saves nothing, but it lets a map, and
 * with it a cheap filter that needs the map, get ahead of a dear filter.
 *
 * <pre>{@code
 *  map            filter
 *   |               |
 * filter   ==>     map
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: the map sees documents that the filter will drop, and what it makes of
 * them is dropped with them; the filter does not read what the map writes.
 */
public final class PushMapBelowFilter extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticMap map
        && lower instanceof SemanticFilter filter
        && Legality.independent(map, filter);
  }
}
