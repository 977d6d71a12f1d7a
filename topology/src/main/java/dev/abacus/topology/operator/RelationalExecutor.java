package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.topology.model.ModelClient;

/** Carries out what needs no model. */
final class RelationalExecutor implements OperatorExecutor<Relational> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Relational technique, Document document, ModelClient client) {
    return switch (operator) {
      case Project project ->
          new OperatorOutcome.Kept(document.only(project.fields()), Expense.NONE);
      // Its branches ran one after the other, on this very document.
      case Merge _ -> new OperatorOutcome.Kept(document, Expense.NONE);
      case LogicalOperator other -> needsModel(other);
    };
  }

  private static OperatorOutcome needsModel(LogicalOperator operator) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(
            "the %s '%s' needs a model, but the plan names none"
                .formatted(operator.kind(), operator.id())),
        Expense.NONE);
  }
}
