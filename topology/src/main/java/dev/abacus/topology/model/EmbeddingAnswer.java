package dev.abacus.topology.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What came of embedding a batch of texts. */
public sealed interface EmbeddingAnswer extends CallOutcome<EmbeddingAnswer> {

  /**
   * The texts were embedded.
   *
   * @param embeddings one per text, in order
   * @param cost USD, failed attempts included
   * @param latency seconds, failed attempts and pauses included
   * @param attempts calls of the endpoint; 0 if none was needed
   */
  record Success(List<Embedding> embeddings, double cost, double latency, int attempts)
      implements EmbeddingAnswer {

    public Success {
      embeddings = List.copyOf(embeddings);
    }

    @Override
    public @Nullable ModelFailure failure() {
      return null;
    }

    @Override
    public Success after(double earlierCost, double earlierLatency, int earlierAttempts) {
      return new Success(
          embeddings, cost + earlierCost, latency + earlierLatency, attempts + earlierAttempts);
    }
  }

  /** They were not; the amounts are as in {@link Success}. */
  record Failed(ModelFailure failure, double cost, double latency, int attempts)
      implements EmbeddingAnswer {

    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    @Override
    public Failed after(double earlierCost, double earlierLatency, int earlierAttempts) {
      return new Failed(
          failure, cost + earlierCost, latency + earlierLatency, attempts + earlierAttempts);
    }
  }
}
