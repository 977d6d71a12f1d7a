package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.TopK;

/**
 * A filter that does not read the items that a top-k finds goes first, and nothing is searched for
 * what it drops.
 *
 * <pre>{@code
 * filter           top-k
 *   |                |
 * top-k    ==>     filter
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: the filter sees the same values of the fields that it reads, so it keeps
 * the same documents; and a search depends on its own document alone. A filter that reads the items
 * stays.
 */
public final class PushFilterBelowTopK extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticFilter one
        && lower instanceof TopK other
        && Legality.independent(one, other);
  }
}
