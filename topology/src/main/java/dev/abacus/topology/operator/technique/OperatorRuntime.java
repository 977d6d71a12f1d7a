package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.CompressedContext;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.plan.PhysicalOperator.CritiqueAndRefine;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.schemas.plan.PhysicalOperator.Gleaning;
import dev.abacus.schemas.plan.PhysicalOperator.HeadAndTail;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.plan.PhysicalOperator.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator.MixtureOfAgents;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator.ReducedContext;
import dev.abacus.schemas.plan.PhysicalOperator.Relational;
import dev.abacus.schemas.plan.PhysicalOperator.SemanticAggregation;
import dev.abacus.schemas.plan.PhysicalOperator.SplitAndMerge;
import dev.abacus.schemas.plan.PhysicalOperator.TopKSearch;
import dev.abacus.schemas.plan.PhysicalOperator.TupleBatch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs physical operators, for samples and for live documents alike: what was measured is what
 * runs. Safe for use by many threads at once.
 */
public final class OperatorRuntime implements OperatorExecutor<PhysicalOperator> {

  private final ModelSelectionExecutor modelSelection = new ModelSelectionExecutor();
  private final ReducedContextExecutor reducedContext;
  private final MixtureOfAgentsExecutor mixtureOfAgents = new MixtureOfAgentsExecutor();
  private final CritiqueAndRefineExecutor critiqueAndRefine = new CritiqueAndRefineExecutor();
  private final HeadAndTailExecutor headAndTail = new HeadAndTailExecutor();
  private final SplitAndMergeExecutor splitAndMerge = new SplitAndMergeExecutor();
  private final CompressedContextExecutor compressedContext = new CompressedContextExecutor();
  private final GleaningExecutor gleaning = new GleaningExecutor();
  private final TupleBatchExecutor tupleBatch;
  private final ConditionByConditionExecutor conditionByCondition =
      new ConditionByConditionExecutor();
  private final SemanticAggregationExecutor semanticAggregation = new SemanticAggregationExecutor();
  private final LearnedCascadeExecutor learnedCascade;
  private final RelationalExecutor relational = new RelationalExecutor();
  private final ReferenceTechniques references;

  /** Who embeds only to learn takes turns: hundreds at once would make all others wait. */
  private final Semaphore teaching;

  /** A runtime with these embedders. */
  public OperatorRuntime(Embedders embedders) {
    this(embedders, RequestBatcher.DEFAULT_PATIENCE);
  }

  /**
   * A runtime with these embedders.
   *
   * @param patience how long a document waits at most for others that go into the same call
   */
  public OperatorRuntime(Embedders embedders, Duration patience) {
    this.reducedContext = new ReducedContextExecutor(embedders);
    this.tupleBatch = new TupleBatchExecutor(new RequestBatcher(patience));
    this.learnedCascade = new LearnedCascadeExecutor(embedders);
    this.references = ReferenceTechniques.of(embedders, References.NONE);
    this.teaching = new Semaphore(Runtime.getRuntime().availableProcessors(), true);
  }

  /** The same runtime, bound to what belongs to one program or one sample. */
  private OperatorRuntime(OperatorRuntime shared, ReferenceTechniques references) {
    this.reducedContext = shared.reducedContext;
    this.tupleBatch = shared.tupleBatch;
    this.learnedCascade = shared.learnedCascade;
    this.references = references;
    this.teaching = shared.teaching;
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
   * Embeds a document for what a technique can learn from it, and calls no model. As many at a time
   * as there are processors, so that others who embed are not held up, and what is measured is the
   * time of embedding and not of waiting for one's turn.
   *
   * @return always an outcome; nothing is taught by a technique that does not learn
   * @throws InterruptedException if the thread is interrupted
   */
  public EvidenceOutcome collectEvidence(
      LogicalOperator operator, PhysicalOperator technique, Document document)
      throws InterruptedException {
    teaching.acquire();
    try {
      return technique instanceof Learnable learnable
          ? switch (learnable) {
            case LearnedCascade cascade ->
                learnedCascade.collectEvidence(operator, cascade, document);
            case EmbeddingJoin join ->
                references.embeddingJoin().collectEvidence(operator, join, document);
          }
          : EvidenceOutcome.nothing(
              technique.id() + " learns nothing from embeddings", ExecutionStats.NONE);
    } finally {
      teaching.release();
    }
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException {
    return switch (technique) {
      case ModelSelection selection ->
          modelSelection.execute(operator, selection, document, client);
      case ReducedContext reduced -> reducedContext.execute(operator, reduced, document, client);
      case MixtureOfAgents mixture -> mixtureOfAgents.execute(operator, mixture, document, client);
      case CritiqueAndRefine critique ->
          critiqueAndRefine.execute(operator, critique, document, client);
      case HeadAndTail ends -> headAndTail.execute(operator, ends, document, client);
      case SplitAndMerge split -> splitAndMerge.execute(operator, split, document, client);
      case CompressedContext compressed ->
          compressedContext.execute(operator, compressed, document, client);
      case Gleaning glean -> gleaning.execute(operator, glean, document, client);
      case TupleBatch batch -> tupleBatch.execute(operator, batch, document, client);
      case ConditionByCondition conditions ->
          conditionByCondition.execute(operator, conditions, document, client);
      case SemanticAggregation aggregation ->
          semanticAggregation.execute(operator, aggregation, document, client);
      case LearnedCascade cascade -> learnedCascade.execute(operator, cascade, document, client);
      case TopKSearch search -> references.topK().execute(operator, search, document, client);
      case NestedLoopsJoin join ->
          references.nestedLoopsJoin().execute(operator, join, document, client);
      case EmbeddingJoin join ->
          references.embeddingJoin().execute(operator, join, document, client);
      case Relational nothing -> relational.execute(operator, nothing, document, client);
    };
  }
}
