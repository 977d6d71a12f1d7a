package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.topology.operator.OperatorFailedException;
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
final class ModelSelectionExecutor {

  private ModelSelectionExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, ModelSelection technique)
      throws InterruptedException, OperatorFailedException {
    return call.outcome(
        call.ask(technique.model(), call.prompt().reasoning(technique.reasoning())));
  }
}
