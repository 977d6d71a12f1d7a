package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.model.token.Tokenizer;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.ChoiceJoinExecutor;
import dev.abacus.topology.operator.join.EmbeddingInput;
import dev.abacus.topology.operator.join.EmbeddingJoinExecutor;
import dev.abacus.topology.operator.join.NestedLoopsJoinExecutor;
import dev.abacus.topology.operator.join.ReferenceView;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.join.ResolutionExecutor;
import dev.abacus.topology.operator.join.SampledReferences;
import dev.abacus.topology.operator.join.TopKExecutor;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.rank.RankExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs every physical operator with the executor of its technique. Samples and live documents use
 * the same runtime, so that measurements hold for live documents. Safe for use by several threads.
 *
 * <p>The switch in {@link #run} registers the executors: a new technique needs a case there, or
 * this class does not compile.
 */
public final class OperatorRuntime implements OperatorExecutor {

  private final Shared shared;
  private final References references;
  private final BooleanSupplier fewShot;

  /**
   * What all programs use.
   *
   * @param tokenizers how each model counts tokens
   * @param evidenceSlots limits concurrent embeddings for evidence, so that live calls are not
   *     delayed
   */
  private record Shared(
      Embedders embedders,
      Function<String, Tokenizer> tokenizers,
      RequestBatcher batcher,
      CascadeExecutor cascades,
      Semaphore evidenceSlots) {}

  /** A runtime without references, for the models of the built-in catalogue. */
  public OperatorRuntime(Embedders embedders) {
    this(embedders, TokenCounter.of(ModelCatalogue.builtIn())::tokenizer);
  }

  /**
   * A runtime without references.
   *
   * @param tokenizers how each model counts tokens
   */
  public OperatorRuntime(Embedders embedders, Function<String, Tokenizer> tokenizers) {
    this(embedders, tokenizers, RequestBatcher.DEFAULT_MAX_WAIT);
  }

  /**
   * A runtime without references, for the models of the built-in catalogue.
   *
   * @param maxBatchWait how long a document waits for others that share its call
   */
  public OperatorRuntime(Embedders embedders, Duration maxBatchWait) {
    this(embedders, TokenCounter.of(ModelCatalogue.builtIn())::tokenizer, maxBatchWait);
  }

  private OperatorRuntime(
      Embedders embedders, Function<String, Tokenizer> tokenizers, Duration maxBatchWait) {
    this(
        new Shared(
            embedders,
            tokenizers,
            new RequestBatcher(maxBatchWait),
            new CascadeExecutor(),
            new Semaphore(Runtime.getRuntime().availableProcessors(), true)),
        References.NONE,
        () -> true);
  }

  private OperatorRuntime(Shared shared, References references, BooleanSupplier fewShot) {
    this.shared = shared;
    this.references = references;
    this.fewShot = fewShot;
  }

  /** Whether prompts may show labelled examples. */
  public boolean showsExamples() {
    return fewShot.getAsBoolean();
  }

  /** This runtime with the references of a program. */
  public OperatorRuntime forProgram(References ofProgram) {
    return forProgram(ofProgram, fewShot);
  }

  /**
   * This runtime with the references of a program.
   *
   * @param showsExamples whether prompts may show the labelled examples of a plan or sample
   */
  public OperatorRuntime forProgram(References ofProgram, BooleanSupplier showsExamples) {
    return new OperatorRuntime(shared, ofProgram, showsExamples);
  }

  /**
   * A runtime for one sample.
   *
   * @param operators the runtime
   * @param stats cost of embedding the document, by which the items of a join are drawn; not part
   *     of the cost of a live document
   */
  public record Sampling(OperatorRuntime operators, ExecutionStats stats) {}

  /**
   * This runtime for a sample. Joins see a subset of a reference, drawn by similarity to the
   * document, and report the estimated cost and latency for the whole reference. The first embedder
   * by name that embeds the reference measures the similarity; without one, all items are equally
   * probable.
   *
   * @param label the keys of the matching items; null if unknown
   * @param example the id of the example; all implementations see the same subset for it
   * @throws InterruptedException if the thread is interrupted
   */
  public Sampling forSample(
      LogicalOperator operator, Document input, @Nullable JsonNode label, String example)
      throws InterruptedException {
    SampledReferences.Query query = null;
    ExecutionStats stats = ExecutionStats.NONE;
    ReferenceView reference =
        operator instanceof ReferenceJoin join ? references.find(join.with()) : null;
    if (reference != null && reference.size() > SampledReferences.PAIRS) {
      Embedder embedder = shared.embedders().first(reference::hasVectors);
      Document read = OperatorPrompt.input(operator, input);
      List<String> texts = EmbeddingInput.of(read, read.fieldNames()).joined().texts();
      if (embedder != null && !texts.isEmpty()) {
        EmbeddingAnswer answer = embedder.embed(texts);
        stats = answer.stats().withCalls(0);
        if (answer instanceof EmbeddingAnswer.Success success) {
          query = new SampledReferences.Query(embedder.name(), success.embeddings().getFirst());
        }
      }
    }
    return new Sampling(
        forProgram(new SampledReferences(references, label, example, query)), stats);
  }

  /**
   * This runtime for evidence from a labelled example, which calls no model.
   *
   * @param label the keys of the matching items; null if unknown
   */
  public OperatorRuntime forEvidence(@Nullable JsonNode label, String example) {
    return forProgram(new SampledReferences(references, label, example, null));
  }

  /** The references that operators see. */
  public References references() {
    return references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException {
    return new Execution(operator, document, client, shared.embedders())
        .run(execution -> checked(execution, technique));
  }

  /** Evaluates the condition in code first: a document that it drops calls no model. */
  private OperatorOutcome checked(Execution execution, PhysicalOperator technique)
      throws InterruptedException, OperatorFailedException {
    WhereExpression where =
        execution.operator() instanceof SemanticFilter filter ? filter.where() : null;
    return switch (where == null ? null : where.evaluate(execution.document())) {
      case WhereExpression.Value.Undecided(String reason) ->
          throw OperatorFailedException.unusableDocument(
              "'where' of filter '%s': %s".formatted(execution.operator().id(), reason));
      case WhereExpression.Value.Decided(boolean holds) when !holds ->
          new OperatorOutcome.Dropped(ExecutionStats.NONE);
      case WhereExpression.Value.Decided _ -> run(execution, technique);
      case null -> run(execution, technique);
    };
  }

  private OperatorOutcome run(Execution execution, PhysicalOperator planned)
      throws InterruptedException, OperatorFailedException {
    PhysicalOperator technique =
        planned instanceof WithExamples showing && !fewShot.getAsBoolean()
            ? showing.with(List.of())
            : planned;
    return switch (technique) {
      case ModelSelection one -> ModelSelectionExecutor.run(SemanticCall.of(execution), one);
      case FewShot one -> FewShotExecutor.run(SemanticCall.of(execution), one);
      case ReducedContext one ->
          ReducedContextExecutor.run(SemanticCall.of(execution), one, chunks(one.model()));
      case MixtureOfAgents one -> MixtureOfAgentsExecutor.run(SemanticCall.of(execution), one);
      case CritiqueAndRefine one -> CritiqueAndRefineExecutor.run(SemanticCall.of(execution), one);
      case HeadAndTail one ->
          HeadAndTailExecutor.run(SemanticCall.of(execution), one, chunks(one.model()));
      case SplitAndMerge one ->
          SplitAndMergeExecutor.run(SemanticCall.of(execution), one, chunks(one.model()));
      case CompressedContext one -> CompressedContextExecutor.run(SemanticCall.of(execution), one);
      case Gleaning one -> GleaningExecutor.run(SemanticCall.of(execution), one);
      case TupleBatch one ->
          TupleBatchExecutor.run(SemanticCall.of(execution), one, shared.batcher());
      case ConditionByCondition one ->
          ConditionByConditionExecutor.run(SemanticCall.of(execution), one);
      case Cascade one -> shared.cascades().run(SemanticCall.of(execution), one);
      case SemanticAggregation one -> SemanticAggregationExecutor.run(execution, one);
      case Ranking one -> RankExecutor.run(execution, one);
      case Resolution one -> ResolutionExecutor.run(execution, one, references);
      case TopKSearch one -> TopKExecutor.run(execution, one, references);
      case NestedLoopsJoin one -> NestedLoopsJoinExecutor.run(execution, one, references);
      case EmbeddingJoin one -> EmbeddingJoinExecutor.run(execution, one, references);
      case ChoiceJoin one -> ChoiceJoinExecutor.run(execution, one, references);
      case Relational _ -> RelationalExecutor.run(execution);
    };
  }

  private TokenChunks chunks(String model) {
    return new TokenChunks(shared.tokenizers().apply(model));
  }

  /**
   * Computes the features of a document for the evidence of a technique that learns: calls the
   * embedder or the proxy, and no other model. At most one embedding per processor runs at a time;
   * the latency does not include waiting.
   *
   * @param client calls the proxy
   * @return an outcome without documents and with the evidence; a failure if the technique does not
   *     learn
   * @throws InterruptedException if the thread is interrupted
   */
  public OperatorOutcome collectEvidence(
      LogicalOperator operator, PhysicalOperator technique, Document document, ModelClient client)
      throws InterruptedException {
    return new Execution(operator, document, client, shared.embedders())
        .run(execution -> {
          Evidence evidence = evidence(execution, technique);
          return new OperatorOutcome.Kept(List.of(), execution.stats(), evidence);
        });
  }

  private Evidence evidence(Execution execution, PhysicalOperator technique)
      throws InterruptedException, OperatorFailedException {
    if (!(technique instanceof Learnable learnable)) {
      throw OperatorFailedException.unusablePlan(technique.id() + " learns nothing from evidence");
    }
    if (!learnable.featureModels().isEmpty()) {
      return collect(execution, learnable);
    }
    shared.evidenceSlots().acquire();
    try {
      return collect(execution, learnable);
    } finally {
      shared.evidenceSlots().release();
    }
  }

  private Evidence collect(Execution execution, Learnable learnable)
      throws InterruptedException, OperatorFailedException {
    return switch (learnable) {
      case Cascade cascade -> shared.cascades().collectEvidence(cascade, execution);
      case EmbeddingJoin join -> EmbeddingJoinExecutor.collectEvidence(execution, join, references);
    };
  }
}
