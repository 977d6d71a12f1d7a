package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;

/**
 * A join passes a projection, so that it may meet the operators below.
 *
 * <pre>{@code
 *   join            project
 *    |                 |
 * project    ==>      join
 *    |                 |
 *  input             input
 * }</pre>
 *
 * <p>Meaning is preserved: the projection keeps all that the condition reads and the field that
 * takes the matches; so the same items match, and they stay.
 */
public final class PushJoinBelowProject extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof ReferenceJoin one
        && lower instanceof Project other
        && Legality.untouchedBy(other, one);
  }
}
