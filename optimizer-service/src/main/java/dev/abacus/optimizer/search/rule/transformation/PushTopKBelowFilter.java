package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.TopK;

/**
 * The way back of {@link PushFilterBelowTopK}. A search is cheap; with it goes, perhaps, a cheap
 * filter that needs its items, ahead of a dear one.
 *
 * <pre>{@code
 * top-k            filter
 *   |                |
 * filter   ==>     top-k
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: the search finds items for documents that the filter will drop, and they
 * are dropped with them; the filter does not read them.
 */
public final class PushTopKBelowFilter extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof TopK one
        && lower instanceof SemanticFilter other
        && Legality.independent(one, other);
  }
}
