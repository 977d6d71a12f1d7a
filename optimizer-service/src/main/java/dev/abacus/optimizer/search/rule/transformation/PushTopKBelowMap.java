package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.TopK;

/**
 * A search goes ahead of a map that it does not depend on; ahead of a map that makes many outputs
 * of a document, it is done once and not for each.
 *
 * <pre>{@code
 * top-k            map
 *   |               |
 *  map     ==>    top-k
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: the search reads nothing that the map writes, so every output of the map
 * gets the items that it would have found itself; and the map does not read them.
 */
public final class PushTopKBelowMap extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof TopK one
        && lower instanceof SemanticMap other
        && Legality.independent(one, other);
  }
}
