package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;

/**
 * Two maps change places, so that either may meet a filter that only the other must wait for.
 *
 * <pre>{@code
 * map a          map b
 *   |              |
 * map b   ==>    map a
 *   |              |
 * input          input
 * }</pre>
 *
 * <p>Meaning is preserved: neither reads what the other writes, so both see what they saw; and they
 * write different fields, so nothing is overwritten that was not.
 */
public final class SwapIndependentMaps extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticMap one
        && lower instanceof SemanticMap other
        && Legality.independent(one, other);
  }
}
