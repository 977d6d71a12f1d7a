package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorOutcome;

/**
 * Runs one operator on one document, as {@link dev.abacus.topology.operator.OperatorRuntime#run}
 * does.
 */
@FunctionalInterface
public interface OperatorRunner {

  /**
   * Runs it; safe for use by many threads at once.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  OperatorOutcome run(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException;
}
