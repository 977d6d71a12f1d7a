package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An embedding join of two streams (paper, section 4.1, "Embedding join"): both documents of a pair
 * are embedded, and the model is asked where their similarity does not decide.
 */
final class EmbeddedPair {

  private EmbeddedPair() {}

  static OperatorOutcome decide(
      StreamPair pair, EmbeddingJoin technique, @Nullable Embedder embedder, ModelClient client)
      throws InterruptedException {
    if (embedder == null) {
      return JoinOutputs.unusablePlan("there is no embedder '" + technique.embedder() + "'");
    }
    return switch (compare(pair.left(), pair.right(), embedder)) {
      case Similarity.None(OperatorFailure failure, ExecutionStats stats) ->
          new OperatorOutcome.Failed(failure, stats);
      case Similarity.Known(double cosine, ExecutionStats stats) ->
          decide(pair, technique, cosine, client, stats);
    };
  }

  /** How similar the pair is, whether it matches left open; no model is called. */
  static EvidenceOutcome collectEvidence(
      StreamJoin join, Document document, @Nullable Embedder embedder) throws InterruptedException {
    if (embedder == null || !(document.get(join.into()) instanceof ObjectNode right)) {
      return EvidenceOutcome.nothing(
          "there is no pair that could be embedded", ExecutionStats.NONE);
    }
    return switch (compare(StreamPair.left(join, document), Document.of(right), embedder)) {
      case Similarity.None(OperatorFailure failure, ExecutionStats stats) ->
          EvidenceOutcome.nothing(failure.message(), stats);
      case Similarity.Known(double cosine, ExecutionStats stats) ->
          EvidenceOutcome.by(evidence(cosine, false, stats.latency()), stats);
    };
  }

  /** How similar the two sides of a pair are. */
  private sealed interface Similarity {

    record Known(double cosine, ExecutionStats stats) implements Similarity {}

    record None(OperatorFailure failure, ExecutionStats stats) implements Similarity {}
  }

  private static Similarity compare(Document one, Document other, Embedder embedder)
      throws InterruptedException {
    List<String> left = EmbeddingInput.of(one, one.fieldNames()).joined().texts();
    List<String> right = EmbeddingInput.of(other, other.fieldNames()).joined().texts();
    if (left.isEmpty() || right.isEmpty()) {
      return new Similarity.None(
          new OperatorFailure.UnusableDocument(
              "the %s document has no text to compare"
                  .formatted(left.isEmpty() ? "left" : "right")),
          ExecutionStats.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(left.getFirst(), right.getFirst()));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          new Similarity.None(
              new OperatorFailure.ModelFailed(embedder.name(), failed.failure()), stats);
      case EmbeddingAnswer.Success success ->
          new Similarity.Known(
              success.embeddings().getFirst().cosine(success.embeddings().getLast()), stats);
    };
  }

  private static OperatorOutcome decide(
      StreamPair pair,
      EmbeddingJoin technique,
      double similarity,
      ModelClient client,
      ExecutionStats stats)
      throws InterruptedException {
    Boolean match = EmbeddingJoinExecutor.bySimilarity(technique, similarity);
    if (match != null) {
      return pair.outcome(match, stats);
    }
    StructuredAnswer<Boolean> reply = pair.ask(technique.model(), client);
    OperatorOutcome outcome = pair.outcome(reply, technique.model(), stats);
    return reply instanceof StructuredAnswer.Answered<Boolean>(Boolean answer, ExecutionStats _)
        ? withEvidence(outcome, evidence(similarity, answer, stats.latency()))
        : outcome;
  }

  private static Evidence evidence(double similarity, boolean match, double seconds) {
    return new Evidence.Pairs(List.of(new Evidence.Pair(similarity, match, false)), seconds);
  }

  private static OperatorOutcome withEvidence(OperatorOutcome outcome, Evidence evidence) {
    return switch (outcome) {
      case OperatorOutcome.Kept kept ->
          new OperatorOutcome.Kept(kept.documents(), kept.stats(), evidence);
      case OperatorOutcome.Dropped dropped ->
          new OperatorOutcome.Dropped(dropped.stats(), evidence);
      case OperatorOutcome.Failed failed -> failed;
    };
  }
}
