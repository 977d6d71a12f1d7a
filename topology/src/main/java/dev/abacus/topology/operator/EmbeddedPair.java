package dev.abacus.topology.operator;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
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
    List<String> left = QueryValues.of(pair.left(), pair.left().fieldNames()).joined().texts();
    List<String> right = QueryValues.of(pair.right(), pair.right().fieldNames()).joined().texts();
    if (left.isEmpty() || right.isEmpty()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument(
              "the %s document has no text to compare"
                  .formatted(left.isEmpty() ? "left" : "right")),
          Expense.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(left.getFirst(), right.getFirst()));
    Expense expense = Expense.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          new OperatorOutcome.Failed(
              new OperatorFailure.ModelFailed(technique.embedder(), failed.failure()), expense);
      case EmbeddingAnswer.Success success ->
          decide(
              pair,
              technique,
              success.embeddings().getFirst().cosine(success.embeddings().getLast()),
              client,
              expense);
    };
  }

  private static OperatorOutcome decide(
      StreamPair pair,
      EmbeddingJoin technique,
      double similarity,
      ModelClient client,
      Expense expense)
      throws InterruptedException {
    Boolean match = EmbeddingJoinExecutor.bySimilarity(technique, similarity);
    if (match != null) {
      return pair.outcome(match, expense);
    }
    Reply<Boolean> reply = pair.ask(technique.model(), client);
    OperatorOutcome outcome = pair.outcome(reply, technique.model(), expense);
    return reply instanceof Reply.Answered<Boolean>(Boolean answer, Expense _)
        ? withEvidence(outcome, new Evidence.Pair(similarity, answer, false))
        : outcome;
  }

  private static OperatorOutcome withEvidence(OperatorOutcome outcome, Evidence.Pair pair) {
    Evidence evidence = new Evidence.Pairs(List.of(pair));
    return switch (outcome) {
      case OperatorOutcome.Kept kept ->
          new OperatorOutcome.Kept(kept.documents(), kept.expense(), evidence);
      case OperatorOutcome.Dropped dropped ->
          new OperatorOutcome.Dropped(dropped.expense(), evidence);
      case OperatorOutcome.Failed failed -> failed;
    };
  }
}
