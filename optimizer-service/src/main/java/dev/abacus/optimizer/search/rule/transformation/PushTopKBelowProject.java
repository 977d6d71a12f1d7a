package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.TopK;

/**
 * A search passes a projection, so that it may meet the operators below.
 *
 * <pre>{@code
 *  top-k            project
 *    |                 |
 * project    ==>     top-k
 *    |                 |
 *  input             input
 * }</pre>
 *
 * <p>Meaning is preserved: the projection keeps the fields that are searched for and the field that
 * takes the items; so the search sees the same, and its items stay.
 */
public final class PushTopKBelowProject extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof TopK one
        && lower instanceof Project other
        && Legality.untouchedBy(other, one);
  }
}
