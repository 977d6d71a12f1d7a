package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator.ReducedContext;
import dev.abacus.schemas.plan.PhysicalOperator.Relational;
import dev.abacus.schemas.plan.PhysicalOperator.SemanticAggregation;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;

/**
 * Runs physical operators, for samples and for live documents alike: what was measured is what
 * runs. Safe for use by many threads at once.
 */
public final class OperatorRuntime {

  private final ModelSelectionExecutor modelSelection = new ModelSelectionExecutor();
  private final ReducedContextExecutor reducedContext;
  private final SemanticAggregationExecutor semanticAggregation = new SemanticAggregationExecutor();
  private final RelationalExecutor relational = new RelationalExecutor();

  /** A runtime with these embedders. */
  public OperatorRuntime(Embedders embedders) {
    this.reducedContext = new ReducedContextExecutor(embedders);
  }

  /**
   * Runs an operator on a document.
   *
   * @param client the model client of this document, receipts included
   * @return always an outcome; a failure is one
   * @throws InterruptedException if the thread is interrupted
   */
  public OperatorOutcome run(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException {
    return switch (technique) {
      case ModelSelection selection ->
          modelSelection.execute(operator, selection, document, client);
      case ReducedContext reduced -> reducedContext.execute(operator, reduced, document, client);
      case SemanticAggregation aggregation ->
          semanticAggregation.execute(operator, aggregation, document, client);
      case Relational nothing -> relational.execute(operator, nothing, document, client);
      case PhysicalOperator other ->
          new OperatorOutcome.Failed(
              new OperatorFailure.UnusablePlan("no executor for " + other.id()), Expense.NONE);
    };
  }
}
