package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator.ReducedContext;
import dev.abacus.schemas.plan.PhysicalOperator.Relational;
import dev.abacus.schemas.plan.PhysicalOperator.TopKSearch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import org.jspecify.annotations.Nullable;

/**
 * Runs physical operators, for samples and for live documents alike: what was measured is what
 * runs. Safe for use by many threads at once.
 */
public final class OperatorRuntime {

  private final ModelSelectionExecutor modelSelection = new ModelSelectionExecutor();
  private final ReducedContextExecutor reducedContext;
  private final RelationalExecutor relational = new RelationalExecutor();
  private final ReferenceTechniques references;

  /** A runtime with these embedders. */
  public OperatorRuntime(Embedders embedders) {
    this.reducedContext = new ReducedContextExecutor(embedders);
    this.references = ReferenceTechniques.of(embedders, References.NONE);
  }

  /** The same runtime, bound to what belongs to one program or one sample. */
  private OperatorRuntime(OperatorRuntime shared, ReferenceTechniques references) {
    this.reducedContext = shared.reducedContext;
    this.references = references;
  }

  /** This runtime with the references of a program. */
  public OperatorRuntime forProgram(References ofProgram) {
    return new OperatorRuntime(this, references.over(ofProgram));
  }

  /**
   * This runtime for a sample: a join looks at a bounded number of items instead of the whole
   * reference, and reports what the whole would have cost and taken.
   *
   * @param label what is known of the right output; null if nothing
   * @param example id of the example; implementations see the same items on the same example
   */
  public OperatorRuntime forSample(@Nullable JsonNode label, String example) {
    return new OperatorRuntime(this, references.sampling(label, example));
  }

  /** The references that operators look into. */
  public References references() {
    return references.references();
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
      case TopKSearch search -> references.topK().execute(operator, search, document, client);
      case NestedLoopsJoin join ->
          references.nestedLoopsJoin().execute(operator, join, document, client);
      case EmbeddingJoin join ->
          references.embeddingJoin().execute(operator, join, document, client);
      case Relational nothing -> relational.execute(operator, nothing, document, client);
      case PhysicalOperator other ->
          new OperatorOutcome.Failed(
              new OperatorFailure.UnusablePlan("no executor for " + other.id()), Expense.NONE);
    };
  }
}
