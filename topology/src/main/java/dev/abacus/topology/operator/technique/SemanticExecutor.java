package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;

/**
 * Runs maps and filters with one technique.
 *
 * @param <P> the technique
 */
interface SemanticExecutor<P extends PhysicalOperator> extends OperatorExecutor<P> {

  /**
   * The part of the technique that differs from the others.
   *
   * @param <A> the type of the operator's answers
   * @throws OperatorFailedException if it cannot be completed
   */
  <A> OperatorOutcome run(SemanticCall<A> call, P technique)
      throws InterruptedException, OperatorFailedException;

  @Override
  default OperatorOutcome execute(
      LogicalOperator operator, P technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(operator, document, client, call -> run(call, technique));
  }
}
