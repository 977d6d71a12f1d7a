package dev.abacus.topology.model;

import java.util.List;

/** The outcome of embedding a batch of texts. */
public sealed interface EmbeddingAnswer extends CallOutcome<EmbeddingAnswer> {

  /**
   * The embeddings of a batch.
   *
   * @param embeddings one per text, in order
   */
  record Success(List<Embedding> embeddings, ExecutionStats stats) implements EmbeddingAnswer {

    /** The answer to an empty batch. */
    public static final Success EMPTY = new Success(List.of(), ExecutionStats.NONE);

    public Success {
      embeddings = List.copyOf(embeddings);
    }

    @Override
    public Success with(ExecutionStats others) {
      return new Success(embeddings, others);
    }
  }

  /** A failure of the whole batch, and its reason. */
  record Failed(ModelFailure failure, ExecutionStats stats) implements EmbeddingAnswer {

    /** A failure that was found before a request was sent. */
    public static Failed withoutCall(ModelFailure failure) {
      return new Failed(failure, ExecutionStats.NONE);
    }

    @Override
    public Failed with(ExecutionStats others) {
      return new Failed(failure, others);
    }
  }
}
