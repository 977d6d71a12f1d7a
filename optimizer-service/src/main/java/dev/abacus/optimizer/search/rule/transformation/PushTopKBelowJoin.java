package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;

/**
 * A search goes below a join that it does not depend on: where the join puts out several documents,
 * it is done once.
 *
 * <pre>{@code
 * top-k            join
 *   |               |
 *  join    ==>    top-k
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes, and every output of the join
 * carries the items that were found for its document.
 */
public final class PushTopKBelowJoin extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof TopK one
        && lower instanceof ReferenceJoin other
        && Legality.independent(one, other);
  }
}
