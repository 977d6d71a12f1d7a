package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;

/** Runs operators that need no model. */
final class RelationalExecutor {

  private RelationalExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if it needs a model
   */
  static OperatorOutcome run(Execution execution) throws OperatorFailedException {
    Document document = execution.document();
    return switch (execution.operator()) {
      case Project project ->
          new OperatorOutcome.Kept(document.only(project.fields()), ExecutionStats.NONE);
      // The runtime has evaluated its condition in code.
      case SemanticFilter filter when !filter.isSemantic() ->
          new OperatorOutcome.Kept(document, ExecutionStats.NONE);
      // The plan executor has merged the branches.
      case Merge _ -> new OperatorOutcome.Kept(document, ExecutionStats.NONE);
      case LogicalOperator other ->
          throw OperatorFailedException.unusablePlan(
              "the %s '%s' needs a model, but the plan names none"
                  .formatted(other.kind(), other.id()));
    };
  }
}
