package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;

/**
 * Pushes a limit below an operator with one output per document, which then runs for the documents
 * that the limit passes only.
 *
 * <pre>{@code
 * limit n                 map (one to one)
 *    |                        |
 * map (one to one)   ==>   limit n
 *    |                        |
 *  input                    input
 * }</pre>
 *
 * <p>Preserves meaning: the operator neither drops nor adds documents, so the limit passes as many
 * documents on either side. A document on which the operator fails counts for the limit if the
 * operator runs behind it.
 *
 * <p>Does not fire on filters, one-to-many operators and inner joins, which change the number of
 * documents, on a merge, nor on an operator that writes a field of the limit's order. The search
 * does not try it if a stateful operator follows the limit directly: then no segment behind the
 * limit can run the operator.
 */
final class ExchangeLimit implements TransformationRule {

  @Override
  public boolean matches(LogicalOperator upper, LogicalOperator lower) {
    return upper instanceof Limit limit && limit.mayPass(lower);
  }
}
