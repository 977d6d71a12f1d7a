package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.Expense;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.OperatorRuntime;

/** Carries a document through the steps of its plan, in the calling thread. */
public final class PlanExecutor {

  private final OperatorRuntime operators;

  /** Runs steps with these operators. */
  public PlanExecutor(OperatorRuntime operators) {
    this.operators = operators;
  }

  /**
   * Runs the steps that are left.
   *
   * @param from where to start; {@link Progress#start} for a new document
   * @param client the model client of this document, receipts included
   * @param checkpoint told after every finished semantic step that did not end the document's way
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalArgumentException if the progress is of a plan with more steps
   */
  public PlanOutcome run(
      PhysicalPlan plan, Progress from, ModelClient client, Checkpoint checkpoint)
      throws InterruptedException {
    int steps = plan.steps().size();
    if (from.nextStep() > steps) {
      throw new IllegalArgumentException(
          "step %d of a plan of %d (%s, epoch %d)"
              .formatted(from.nextStep(), steps, plan.program(), plan.epoch()));
    }
    Document document = from.document();
    Expense expense = from.expense();
    for (int i = from.nextStep(); i < steps; i++) {
      PlanStep step = plan.steps().get(i);
      String id = step.logical().id();
      OperatorOutcome outcome = operators.run(step.logical(), step.physical(), document, client);
      expense = expense.plus(outcome.expense());
      switch (outcome) {
        case OperatorOutcome.Kept kept -> document = kept.document();
        case OperatorOutcome.Dropped _ -> {
          return new PlanOutcome.Filtered(id, expense);
        }
        case OperatorOutcome.Failed failed -> {
          return new PlanOutcome.Failed(id, failed.failure(), failed.attempts(), document, expense);
        }
      }
      if (step.logical().isSemantic()) {
        checkpoint.reached(new Progress(i + 1, document, expense));
      }
    }
    return new PlanOutcome.Result(document, expense);
  }
}
