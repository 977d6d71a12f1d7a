package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides clear pairs by the similarity of their embeddings, and asks a model about the others
 * (paper, section 4.1, "Embedding join").
 *
 * <pre>
 *   document ──► embedder ──► similarity to every item ─┬─ above high ──► match
 *                                                       ├─ between ──► model ──► match?
 *                                                       └─ below low ──► no match
 * </pre>
 *
 * <p>A threshold that is not learned yet decides no pair.
 */
public final class EmbeddingJoinExecutor {

  /** Less than every cosine: rejects no pair. */
  private static final double NO_THRESHOLD = -2;

  private EmbeddingJoinExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(
      Execution execution, EmbeddingJoin technique, References references)
      throws InterruptedException, OperatorFailedException {
    PairExamples.require(execution.operator(), technique);
    return execution.operator() instanceof StreamJoin join
        ? new StreamEmbeddingJoin(technique, StreamPair.of(join, execution)).outcome()
        : run(technique, ReferenceJoinCall.of(execution, references));
  }

  private static OperatorOutcome run(EmbeddingJoin technique, ReferenceJoinCall call)
      throws InterruptedException, OperatorFailedException {
    OperatorOutcome nothing = call.nothingToCompare();
    if (nothing != null) {
      return nothing;
    }
    Embedding query = embed(call.execution(), call.reference(), technique, call.input());
    double seconds = call.execution().stats().latency();
    List<Candidate> candidates =
        call.reference().candidates(technique.embedder(), query, low(technique)).stream()
            .sorted(Candidate.BY_ID)
            .toList();
    List<Candidate> uncertain = new ArrayList<>();
    Map<String, Boolean> matches = new HashMap<>();
    for (Candidate candidate : candidates) {
      Boolean match = decision(technique, candidate.similarity());
      if (match == null) {
        uncertain.add(candidate);
      } else {
        matches.put(candidate.item().id(), match);
      }
    }
    PairExamples examples = PairExamples.of(technique, call.reference());
    Map<String, Boolean> asked = call.ask(technique.model(), null, examples, uncertain);
    matches.putAll(asked);
    return call.outcome(
        candidates, matches, new Evidence.Pairs(call.pairs(candidates, matches, asked), seconds));
  }

  /** The decision by similarity; null if the model decides. */
  static @Nullable Boolean decision(EmbeddingJoin technique, double similarity) {
    Double high = technique.high();
    if (high != null && similarity > high) {
      return true;
    }
    return similarity < low(technique) ? Boolean.FALSE : null;
  }

  private static double low(EmbeddingJoin technique) {
    Double low = technique.low();
    return low == null ? NO_THRESHOLD : low;
  }

  /** Measures the similarities of pairs, without a call of the model. */
  public static Evidence collectEvidence(
      Execution execution, EmbeddingJoin technique, References references)
      throws InterruptedException, OperatorFailedException {
    return switch (execution.operator()) {
      case StreamJoin join when join.isSemantic() ->
          new StreamEmbeddingJoin(technique, StreamPair.of(join, execution)).evidence();
      case ReferenceJoin join -> {
        Document document = execution.document();
        ReferenceView reference = references.require(join.with()).matchable(join, document);
        Document input = OperatorPrompt.input(join, document);
        Embedding query = embed(execution, reference, technique, input);
        yield labelled(
            reference.evidence(technique.embedder(), query), execution.stats().latency());
      }
      case LogicalOperator other ->
          throw OperatorFailedException.unusablePlan(
              "'%s' has no pairs to compare".formatted(other.id()));
    };
  }

  private static Embedding embed(
      Execution execution, ReferenceView reference, EmbeddingJoin technique, Document input)
      throws InterruptedException, OperatorFailedException {
    EmbeddingInput query = EmbeddingInput.ofTexts(input).joined();
    return SimilaritySearch.embed(execution, technique.embedder(), query, reference).getFirst();
  }

  /** The pairs with a label. */
  private static Evidence labelled(List<Candidate> candidates, double seconds) {
    List<Evidence.Pair> pairs = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Boolean label = candidate.label();
      if (label != null) {
        pairs.add(
            new Evidence.Pair(null, candidate.similarity(), label, true, candidate.weight(), null));
      }
    }
    return new Evidence.Pairs(pairs, seconds);
  }
}
