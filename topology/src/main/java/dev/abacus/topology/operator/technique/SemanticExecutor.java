package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;

/**
 * Runs maps and filters with one technique.
 *
 * @param <P> the technique
 */
interface SemanticExecutor<P extends PhysicalOperator> {

  /**
   * The part of the technique that differs from the others.
   *
   * @param <A> the type of the operator's answers
   * @throws OperatorFailedException if it cannot be completed
   */
  <A> OperatorOutcome run(SemanticCall<A> call, P technique)
      throws InterruptedException, OperatorFailedException;

  /**
   * Checks operator and document, then runs the technique on the fields that the operator reads.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  default OperatorOutcome execute(
      LogicalOperator operator, P technique, Document document, Execution execution)
      throws InterruptedException, OperatorFailedException {
    return run(SemanticCall.of(operator, document, execution), technique);
  }
}
