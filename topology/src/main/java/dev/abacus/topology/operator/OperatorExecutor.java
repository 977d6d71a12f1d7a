package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;

/**
 * Carries out one technique. Safe for use by many threads at once.
 *
 * @param <P> the technique
 */
public interface OperatorExecutor<P extends PhysicalOperator> {

  /**
   * Runs an operator on a document.
   *
   * @param client the model client of this document
   * @return always an outcome; a failure is one
   * @throws InterruptedException if the thread is interrupted
   */
  OperatorOutcome execute(
      LogicalOperator operator, P technique, Document document, ModelClient client)
      throws InterruptedException;
}
