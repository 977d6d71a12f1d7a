package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;

/**
 * The way back of {@link PushFilterBelowJoin}: a join that drops much for little goes ahead of a
 * dear filter.
 *
 * <pre>{@code
 *  join            filter
 *   |                |
 * filter   ==>      join
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: what the join adds is not read by the filter, and documents that the
 * filter drops take their matches with them.
 */
public final class PushJoinBelowFilter extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof ReferenceJoin one
        && lower instanceof SemanticFilter other
        && Legality.independent(one, other);
  }
}
