package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.QueryEmbedder.Result;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the item of a reference that is the same entity as a document mentions.
 *
 * <pre>
 *   fields ──► embedder ──► index ──► k candidates ──► model ──► one of them, or none
 * </pre>
 *
 * <p>The model decides each candidate, or chooses among all of them in one call. The output is an
 * item of the reference as it is, or null.
 */
public final class ResolutionExecutor implements OperatorExecutor<Resolution> {

  private final Embedders embedders;
  private final References references;

  /** An executor for entities in these references. */
  public ResolutionExecutor(Embedders embedders, References references) {
    this.embedders = embedders;
    this.references = references;
  }

  /** What a model decides about candidates, the most similar first. */
  private record Decision(
      @Nullable Candidate match, @Nullable ModelFailure failure, ExecutionStats stats) {}

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Resolution technique, Document document, ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof EntityResolution resolution)) {
      return OperatorOutcome.Failed.unusablePlan(
          "a %s ('%s') is not a resolution".formatted(operator.kind(), operator.id()));
    }
    ReferenceView reference = references.find(resolution.with());
    if (reference == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "there is no reference '" + resolution.with() + "'");
    }
    Document input = OperatorPrompt.input(resolution, document);
    EmbeddingInput query = EmbeddingInput.of(input, input.fieldNames()).joined();
    if (query.isEmpty()) {
      return OperatorOutcome.Failed.unusableDocument(
          "the document mentions nothing in "
              + (resolution.reads().isEmpty()
                  ? "any field"
                  : String.join(", ", resolution.reads())));
    }
    String invalid = DocumentMessage.invalidImage(input);
    if (invalid != null) {
      return OperatorOutcome.Failed.unusableDocument(invalid);
    }
    return switch (new QueryEmbedder(embedders).embed(technique.embedder(), query, reference)) {
      case Result.Failed<List<Embedding>>(OperatorFailure failure, ExecutionStats stats) ->
          new OperatorOutcome.Failed(failure, stats);
      case Result.Success<List<Embedding>>(List<Embedding> queries, ExecutionStats stats) -> {
        List<Candidate> candidates =
            TopKExecutor.nearest(reference, technique.embedder(), queries, technique.k());
        Decision decision = decide(resolution, technique, input, candidates, client);
        ExecutionStats all = stats.plus(decision.stats());
        Candidate match = decision.match();
        yield decision.failure() != null
            ? OperatorOutcome.Failed.ofModel(technique.model(), decision.failure(), all)
            : new OperatorOutcome.Kept(
                document.with(
                    resolution.into(),
                    match == null
                        ? JsonNodeFactory.instance.nullNode()
                        : match.item().document().toJson()),
                all);
      }
    };
  }

  private static Decision decide(
      EntityResolution resolution,
      Resolution technique,
      Document input,
      List<Candidate> candidates,
      ModelClient client)
      throws InterruptedException {
    if (candidates.isEmpty()) {
      return new Decision(null, null, ExecutionStats.NONE);
    }
    return switch (technique) {
      case PairwiseResolution _ -> {
        PairCalls.Result result =
            PairCalls.ask(
                item -> JoinPrompt.of(resolution.condition(), input, item.document()),
                technique.model(),
                client,
                candidates);
        Candidate first =
            candidates.stream()
                .filter(candidate -> result.matches().getOrDefault(candidate.item().id(), false))
                .findFirst()
                .orElse(null);
        yield new Decision(first, result.failure(), result.stats());
      }
      case ChoiceResolution _ -> {
        List<JsonNode> items =
            candidates.stream()
                .<JsonNode>map(candidate -> candidate.item().document().toJson())
                .toList();
        yield switch (StructuredCall.ask(
            client, technique.model(), ChoicePrompt.of(resolution.condition(), input, items))) {
          case StructuredAnswer.Valid<Integer>(Integer number, ExecutionStats stats)
              when number <= items.size() ->
              new Decision(number == 0 ? null : candidates.get(number - 1), null, stats);
          case StructuredAnswer.Valid<Integer>(Integer number, ExecutionStats stats) ->
              new Decision(
                  null,
                  new ModelFailure.Malformed(
                      "the answer names item %d of %d".formatted(number, items.size())),
                  stats);
          case StructuredAnswer.Failed<Integer>(ModelFailure failure, ExecutionStats stats) ->
              new Decision(null, failure, stats);
        };
      }
    };
  }
}
