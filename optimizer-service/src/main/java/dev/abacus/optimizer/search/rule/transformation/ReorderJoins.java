package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;

/**
 * Two joins with references change places: the one that drops most for its price goes first, the
 * one that multiplies documents last.
 *
 * <pre>{@code
 * join a           join b
 *   |                |
 * join b   ==>     join a
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: a document comes out once for every pair of an item of a and an item of
 * b that it matches, in whatever order they are looked for; neither condition reads what the other
 * join adds. Which of these outputs is called the first may change, their set does not.
 */
public final class ReorderJoins extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof ReferenceJoin one
        && lower instanceof ReferenceJoin other
        && Legality.independent(one, other);
  }
}
