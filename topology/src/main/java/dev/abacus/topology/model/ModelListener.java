package dev.abacus.topology.model;

import java.util.List;

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
    ModelListener listener = this;
    return new Embedder() {
      @Override
      public String name() {
        return next.name();
      }

      @Override
      public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
        EmbeddingAnswer answer = next.embed(texts);
        listener.embedded(name(), texts.size(), answer);
        return answer;
      }
    };
  }
}
