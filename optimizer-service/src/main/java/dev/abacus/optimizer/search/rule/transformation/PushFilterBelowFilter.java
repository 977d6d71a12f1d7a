package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;

/**
 * Two filters change places: which of them goes first depends on what they cost and drop.
 *
 * <pre>{@code
 * filter a          filter b
 *    |                 |
 * filter b   ==>    filter a
 *    |                 |
 *  input             input
 * }</pre>
 *
 * <p>Meaning is preserved: a document passes both or it does not, and neither changes it.
 */
public final class PushFilterBelowFilter extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticFilter && lower instanceof SemanticFilter;
  }
}
