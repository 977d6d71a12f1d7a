package dev.abacus.topology.model;

/**
 * Observes calls of models. Methods are called by many threads at once, must return quickly and
 * must not throw.
 *
 * <p>{@link #around(ModelClient)} and {@link #around(Embedder)} attach a listener. Around a
 * provider's client it observes single attempts, around retries it observes whole calls.
 */
public interface ModelListener {

  /** Ignores all calls. */
  ModelListener NONE = new ModelListener() {};

  /** A listener that tells two others. */
  static ModelListener both(ModelListener first, ModelListener second) {
    return new ModelListener() {
      @Override
      public void calling(ModelRequest request) {
        first.calling(request);
        second.calling(request);
      }

      @Override
      public void answered(ModelRequest request, ModelAnswer answer) {
        first.answered(request, answer);
        second.answered(request, answer);
      }

      @Override
      public void interrupted(ModelRequest request) {
        first.interrupted(request);
        second.interrupted(request);
      }

      @Override
      public void embedded(String embedder, int texts, EmbeddingAnswer answer) {
        first.embedded(embedder, texts, answer);
        second.embedded(embedder, texts, answer);
      }
    };
  }

  /** Called before a request is sent. */
  default void calling(ModelRequest request) {}

  /** Called when a call ended with an answer or a failure. */
  default void answered(ModelRequest request, ModelAnswer answer) {}

  /** Called when a call ended because its thread was interrupted. */
  default void interrupted(ModelRequest request) {}

  /**
   * Called when a batch was embedded or failed.
   *
   * @param embedder name of the embedder
   * @param texts size of the batch
   */
  default void embedded(String embedder, int texts, EmbeddingAnswer answer) {}

  /** The client, observed by this listener. */
  default ModelClient around(ModelClient next) {
    return request -> {
      calling(request);
      ModelAnswer answer;
      try {
        answer = next.call(request);
      } catch (InterruptedException e) {
        interrupted(request);
        throw e;
      }
      answered(request, answer);
      return answer;
    };
  }

  /** The embedder, observed by this listener. */
  default Embedder around(Embedder next) {
    return Embedder.of(
        next.name(),
        texts -> {
          EmbeddingAnswer answer = next.embed(texts);
          embedded(next.name(), texts.size(), answer);
          return answer;
        });
  }
}
