package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;

/**
 * A filter that reads one side of a join only, the document, goes to that side, and nothing is
 * compared with what it drops.
 *
 * <pre>{@code
 * filter            join
 *   |                |
 *  join    ==>     filter
 *   |                |
 * input            input
 * }</pre>
 *
 * <p>Meaning is preserved: the filter sees the same values of the fields that it reads, on every
 * output of the join as on the document itself; so all outputs of a document pass or none does, and
 * what a document is joined with depends on no other document. A filter that reads matched items
 * stays.
 */
public final class PushFilterBelowJoin extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticFilter one
        && lower instanceof ReferenceJoin other
        && Legality.independent(one, other);
  }
}
