package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;

/**
 * A filter passes a projection that keeps what the filter reads, on its way to dearer operators.
 *
 * <pre>{@code
 *  filter          project
 *    |                |
 * project   ==>     filter
 *    |                |
 *  input            input
 * }</pre>
 *
 * <p>Meaning is preserved: the filter reads kept fields only, so it sees the same; the projection
 * does to every document that is left what it did before. A filter that reads every field would see
 * more below the projection, and one that reads a dropped field would find it again.
 */
public final class PushFilterBelowProject extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticFilter filter
        && lower instanceof Project project
        && Legality.untouchedBy(project, filter);
  }
}
