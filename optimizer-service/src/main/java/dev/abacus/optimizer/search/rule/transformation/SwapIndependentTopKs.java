package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.TopK;

/**
 * Two searches change places, so that either may meet a filter that only the other must wait for.
 *
 * <pre>{@code
 * top-k a           top-k b
 *    |                 |
 * top-k b    ==>    top-k a
 *    |                 |
 *  input             input
 * }</pre>
 *
 * <p>Meaning is preserved: each reads its own fields of the document and its own reference, and
 * they write different fields.
 */
public final class SwapIndependentTopKs extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof TopK one
        && lower instanceof TopK other
        && Legality.independent(one, other);
  }
}
