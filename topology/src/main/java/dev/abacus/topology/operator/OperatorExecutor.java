package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;

/** Runs operators with the techniques of a plan. Safe for use by several threads. */
@FunctionalInterface
public interface OperatorExecutor {

  /**
   * Runs an operator on a document.
   *
   * @param client the model client of this document, receipts included
   * @return the outcome; failures are outcomes too
   * @throws InterruptedException if the thread is interrupted
   */
  OperatorOutcome execute(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException;
}
