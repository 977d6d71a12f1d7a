package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An embedding join of two streams (paper, section 4.1, "Embedding join"): embeds both documents of
 * a pair, and asks the model if their similarity does not decide.
 */
record StreamEmbeddingJoin(EmbeddingJoin technique, StreamPair pair) {

  OperatorOutcome outcome() throws InterruptedException, OperatorFailedException {
    double similarity = similarity();
    double seconds = pair.execution().stats().latency();
    Boolean match = EmbeddingJoinExecutor.decision(technique, similarity);
    if (match != null) {
      return pair.outcome(match);
    }
    boolean answer = pair.ask(technique.model(), null, PairExamples.of(technique));
    return pair.outcome(answer).withEvidence(evidence(similarity, answer, seconds));
  }

  /** Measures the similarity of a pair without a call of the model; the answer stays open. */
  Evidence evidence() throws InterruptedException, OperatorFailedException {
    return evidence(similarity(), null, pair.execution().stats().latency());
  }

  private double similarity() throws InterruptedException, OperatorFailedException {
    List<Embedding> embeddings =
        pair.execution()
            .embed(
                technique.embedder(),
                List.of(text("left", pair.left()), text("right", pair.right())));
    return embeddings.getFirst().cosine(embeddings.getLast());
  }

  private static String text(String side, Document document) throws OperatorFailedException {
    List<String> texts = EmbeddingInput.of(document, document.fieldNames()).joined().texts();
    if (texts.isEmpty()) {
      throw OperatorFailedException.unusableDocument(
          "the %s document has no text to compare".formatted(side));
    }
    return texts.getFirst();
  }

  /** The pair as evidence; without an answer until a label is set. */
  private static Evidence evidence(double similarity, @Nullable Boolean answer, double seconds) {
    return new Evidence.Pairs(
        List.of(new Evidence.Pair(null, similarity, answer, false, 1.0, answer)), seconds);
  }
}
