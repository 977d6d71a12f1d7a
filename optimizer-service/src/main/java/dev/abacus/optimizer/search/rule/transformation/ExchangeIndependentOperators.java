package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;

/**
 * Exchanges two independent operators: filter push-down, map reordering and join reordering in one
 * rule (paper, section 2.2).
 *
 * <pre>{@code
 * filter (reads a)           map (reads a, writes m)
 *     |                          |
 * map (reads a, writes m)  ==> filter (reads a)
 *     |                          |
 *   input                      input
 * }</pre>
 *
 * <p>Preserves meaning: both operators process one document at a time, so the results for a
 * document depend on no other document. Neither reads or replaces a field that the other writes
 * ({@link LogicalOperator#isIndependentOf}), so in either order both see the same field values.
 * Cardinality does not matter. A filter drops the same documents in either order. A one-to-many
 * operator multiplies each document by the same number, and the results of the other operator are
 * the same on each copy. Only the order of the result documents may change.
 *
 * <p>Does not fire
 *
 * <ul>
 *   <li>if one operator reads a field that the other writes, or both write the same field;
 *   <li>if one operator reads every field and the other writes any;
 *   <li>on an operator that needs several documents (aggregate, limit, join of streams): it is a
 *       barrier;
 *   <li>on a projection, which writes no field but removes fields: see {@link ExchangeProjection}.
 * </ul>
 */
final class ExchangeIndependentOperators implements TransformationRule {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return !(upper instanceof Project)
        && !(lower instanceof Project)
        && upper.isIndependentOf(lower);
  }
}
