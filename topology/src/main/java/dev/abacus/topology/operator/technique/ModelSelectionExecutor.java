package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;

/**
 * One call of one model with all fields that the operator reads (paper, section 4.1, "Model
 * selection").
 *
 * <pre>
 *   document ──► model ──► output
 * </pre>
 *
 * <p>The model may reason first, hidden or in its answer.
 */
final class ModelSelectionExecutor implements OperatorExecutor<ModelSelection> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, ModelSelection technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(
        operator,
        document,
        client,
        call -> call.answer(technique.model(), technique.reasoning(), ExecutionStats.NONE));
  }
}
