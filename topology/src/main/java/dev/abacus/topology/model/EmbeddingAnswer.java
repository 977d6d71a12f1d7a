package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.List;

/** The outcome of embedding a batch of texts. */
public sealed interface EmbeddingAnswer extends CallOutcome<EmbeddingAnswer> {

  /**
   * The embeddings of a batch.
   *
   * @param embeddings one per text, in order
   * @param tokens input of the embedding model, including failed attempts
   * @param cost USD, including failed attempts
   * @param latency seconds, including failed attempts and pauses
   * @param attempts calls of the endpoint; 0 if none was needed
   */
  record Success(
      List<Embedding> embeddings, TokenCounts tokens, double cost, double latency, int attempts)
      implements EmbeddingAnswer {

    /** The answer to an empty batch. */
    public static final Success EMPTY = new Success(List.of(), 0, 0, 0);

    public Success {
      embeddings = List.copyOf(embeddings);
    }

    /** Embeddings without known tokens. */
    public Success(List<Embedding> embeddings, double cost, double latency, int attempts) {
      this(embeddings, TokenCounts.NONE, cost, latency, attempts);
    }

    @Override
    public Success with(TokenCounts others, double usd, double seconds, int calls) {
      return new Success(embeddings, others, usd, seconds, calls);
    }
  }

  /** A failure of the whole batch; the amounts are as in {@link Success}. */
  record Failed(ModelFailure failure, TokenCounts tokens, double cost, double latency, int attempts)
      implements EmbeddingAnswer {

    /** A failure without known tokens. */
    public Failed(ModelFailure failure, double cost, double latency, int attempts) {
      this(failure, TokenCounts.NONE, cost, latency, attempts);
    }

    /** A failure that was found before a request was sent. */
    public static Failed withoutCall(ModelFailure failure) {
      return new Failed(failure, 0, 0, 0);
    }

    @Override
    public Failed with(TokenCounts others, double usd, double seconds, int calls) {
      return new Failed(failure, others, usd, seconds, calls);
    }
  }
}
