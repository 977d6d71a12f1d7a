package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;

/**
 * A projection goes first, and documents are smaller from there on.
 *
 * <pre>{@code
 * project           lower
 *    |                |
 *  lower    ==>    project
 *    |                |
 *  input            input
 * }</pre>
 *
 * <p>Meaning is preserved if the projection keeps all that the operator reads, so that it sees the
 * same, and all that it writes, so that the same fields come out. Two projections keep what both
 * keep, whichever goes first.
 */
public final class PushProjectDown extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof Project project
        && (lower instanceof Project || Legality.untouchedBy(project, lower));
  }
}
