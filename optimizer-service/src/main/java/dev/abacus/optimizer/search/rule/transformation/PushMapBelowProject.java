package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticMap;

/**
 * A map passes a projection, so that it may meet the operators below.
 *
 * <pre>{@code
 *   map            project
 *    |                |
 * project   ==>      map
 *    |                |
 *  input            input
 * }</pre>
 *
 * <p>Meaning is preserved if the projection keeps all that the map reads, so that it sees the same,
 * and all that it writes, so that its fields are not dropped now. The order of fields in a document
 * may change; it has no meaning.
 */
public final class PushMapBelowProject extends NeighbourExchange {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof SemanticMap map
        && lower instanceof Project project
        && Legality.untouchedBy(project, map);
  }
}
