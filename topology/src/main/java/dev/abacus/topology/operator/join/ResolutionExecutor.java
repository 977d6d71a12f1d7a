package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.List;
import java.util.Map;

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
public final class ResolutionExecutor {

  private ResolutionExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(
      Execution execution, Resolution technique, References references)
      throws InterruptedException, OperatorFailedException {
    if (!(execution.operator() instanceof EntityResolution resolution)) {
      throw OperatorFailedException.isNot(execution.operator(), "a resolution");
    }
    Document document = execution.document();
    ReferenceView reference = references.require(resolution.with());
    Document input = OperatorPrompt.input(resolution, document);
    List<Candidate> candidates =
        SimilaritySearch.nearest(
            execution, technique.embedder(), technique.k(), query(resolution, input), reference);
    List<Candidate> same = same(execution, resolution, technique, input, candidates);
    JsonNode found =
        same.isEmpty()
            ? JsonNodeFactory.instance.nullNode()
            : same.getFirst().item().document().toJson();
    return new OperatorOutcome.Kept(document.with(resolution.into(), found), execution.stats());
  }

  private static EmbeddingInput query(EntityResolution resolution, Document input)
      throws OperatorFailedException {
    EmbeddingInput query = EmbeddingInput.of(input, input.fieldNames()).joined();
    if (query.isEmpty()) {
      throw OperatorFailedException.unusableDocument(
          "the document mentions nothing in "
              + (resolution.reads().isEmpty()
                  ? "any field"
                  : String.join(", ", resolution.reads())));
    }
    String invalid = DocumentMessage.invalidMedia(input);
    if (invalid != null) {
      throw OperatorFailedException.unusableDocument(invalid);
    }
    return query;
  }

  /** The candidates that are the entity, the most similar first. */
  private static List<Candidate> same(
      Execution execution,
      EntityResolution resolution,
      Resolution technique,
      Document input,
      List<Candidate> candidates)
      throws InterruptedException, OperatorFailedException {
    return switch (technique) {
      case PairwiseResolution pairwise -> {
        Map<String, Boolean> matches =
            PairCalls.ask(
                execution,
                pairwise.model(),
                item -> JoinPrompt.of(resolution.condition(), input, item.document()),
                candidates);
        yield candidates.stream()
            .filter(candidate -> matches.getOrDefault(candidate.item().id(), false))
            .toList();
      }
      case ChoiceResolution choice ->
          ChoicePrompt.ONE.ask(
              execution, choice.model(), resolution.condition(), input, candidates);
    };
  }
}
