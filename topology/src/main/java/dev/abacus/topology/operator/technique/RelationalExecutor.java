package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;

/** Carries out what needs no model. */
final class RelationalExecutor implements OperatorExecutor<Relational> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Relational technique, Document document, ModelClient client) {
    return switch (operator) {
      case Project project ->
          new OperatorOutcome.Kept(document.only(project.fields()), ExecutionStats.NONE);
      // Its branches ran one after the other, on this very document.
      case Merge _ -> new OperatorOutcome.Kept(document, ExecutionStats.NONE);
      case LogicalOperator other -> needsModel(other);
    };
  }

  private static OperatorOutcome needsModel(LogicalOperator operator) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(
            "the %s '%s' needs a model, but the plan names none"
                .formatted(operator.kind(), operator.id())),
        ExecutionStats.NONE);
  }
}
