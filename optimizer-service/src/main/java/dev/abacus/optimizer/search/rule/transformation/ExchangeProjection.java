package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;

/**
 * Exchanges a projection with its neighbour. Documents are smaller above the projection, and the
 * neighbour can meet the operators on the other side.
 *
 * <pre>{@code
 * project a, m                   map (reads a, writes m)
 *     |                              |
 * map (reads a, writes m)   <==>  project a, m
 *     |                              |
 *   input                          input
 * }</pre>
 *
 * <p>Preserves meaning: the projection keeps every field that the operator reads, so the operator
 * sees the same values, and every field that the operator writes, so the same fields remain. Two
 * projections keep the fields that both name, in either order. The order of fields in a document
 * may change; it has no meaning.
 *
 * <p>Does not fire
 *
 * <ul>
 *   <li>if the projection removes a field that the operator reads or writes;
 *   <li>if the operator reads every field: it would see other fields on the other side;
 *   <li>on an operator that needs several documents (a barrier).
 * </ul>
 */
final class ExchangeProjection implements TransformationRule {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    if (upper instanceof Project project) {
      return lower instanceof Project || project.keepsFieldsOf(lower);
    }
    return lower instanceof Project project && project.keepsFieldsOf(upper);
  }
}
