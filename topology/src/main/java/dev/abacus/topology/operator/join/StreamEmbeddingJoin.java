package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.QueryEmbedder.Result;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An embedding join of two streams (paper, section 4.1, "Embedding join"): embeds both documents of
 * a pair, and asks the model if their similarity does not decide.
 *
 * @param embedder null if the instance has no embedder of this name
 */
record StreamEmbeddingJoin(EmbeddingJoin technique, @Nullable Embedder embedder) {

  OperatorOutcome execute(StreamPair pair, ModelClient client) throws InterruptedException {
    if (embedder == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "there is no embedder '" + technique.embedder() + "'");
    }
    return switch (similarity(pair.left(), pair.right(), embedder)) {
      case Result.Failed<Double>(OperatorFailure failure, ExecutionStats stats) ->
          new OperatorOutcome.Failed(failure, stats);
      case Result.Success<Double>(Double similarity, ExecutionStats stats) ->
          decide(pair, similarity, client, stats);
    };
  }

  private OperatorOutcome decide(
      StreamPair pair, double similarity, ModelClient client, ExecutionStats embedding)
      throws InterruptedException {
    Boolean match = EmbeddingJoinExecutor.decision(technique, similarity);
    if (match != null) {
      return pair.outcome(match, embedding);
    }
    StructuredAnswer<Boolean> answer =
        pair.ask(technique.model(), null, PairExamples.of(technique), client);
    OperatorOutcome outcome = pair.outcome(technique.model(), answer, embedding);
    return answer instanceof StructuredAnswer.Valid<Boolean>(Boolean valid, ExecutionStats _)
        ? outcome.withEvidence(evidence(similarity, valid, embedding.latency()))
        : outcome;
  }

  /** Measures the similarity of a pair without a call of the model; the answer stays open. */
  EvidenceOutcome collectEvidence(StreamJoin join, Document document) throws InterruptedException {
    if (embedder == null || !(document.get(join.into()) instanceof ObjectNode right)) {
      return EvidenceOutcome.none("there is no pair that could be embedded", ExecutionStats.NONE);
    }
    return switch (similarity(StreamPair.left(join, document), Document.of(right), embedder)) {
      case Result.Failed<Double>(OperatorFailure failure, ExecutionStats stats) ->
          EvidenceOutcome.failed(failure, stats);
      case Result.Success<Double>(Double similarity, ExecutionStats stats) ->
          EvidenceOutcome.of(evidence(similarity, null, stats.latency()), stats);
    };
  }

  private static Result<Double> similarity(Document left, Document right, Embedder embedder)
      throws InterruptedException {
    List<String> leftTexts = EmbeddingInput.of(left, left.fieldNames()).joined().texts();
    List<String> rightTexts = EmbeddingInput.of(right, right.fieldNames()).joined().texts();
    if (leftTexts.isEmpty() || rightTexts.isEmpty()) {
      return new Result.Failed<>(
          new OperatorFailure.UnusableDocument(
              "the %s document has no text to compare"
                  .formatted(leftTexts.isEmpty() ? "left" : "right")),
          ExecutionStats.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(leftTexts.getFirst(), rightTexts.getFirst()));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          new Result.Failed<>(
              new OperatorFailure.ModelFailed(embedder.name(), failed.failure()), stats);
      case EmbeddingAnswer.Success success ->
          new Result.Success<>(
              success.embeddings().getFirst().cosine(success.embeddings().getLast()), stats);
    };
  }

  /** The pair as evidence; without an answer until a label is set. */
  private static Evidence evidence(double similarity, @Nullable Boolean answer, double seconds) {
    return new Evidence.Pairs(
        List.of(new Evidence.Pair(null, similarity, answer, false, 1.0, answer)), seconds);
  }
}
