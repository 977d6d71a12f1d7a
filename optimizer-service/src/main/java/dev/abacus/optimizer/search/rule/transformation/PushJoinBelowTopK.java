package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;

/**
 * The way back of {@link PushTopKBelowJoin}: nothing is searched for documents without a match.
 *
 * <pre>{@code
 *  join           top-k
 *   |               |
 * top-k    ==>     join
 *   |               |
 * input           input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes, and documents without a match are
 * dropped in either order.
 */
public final class PushJoinBelowTopK extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof ReferenceJoin one
        && lower instanceof TopK other
        && Legality.independent(one, other);
  }
}
