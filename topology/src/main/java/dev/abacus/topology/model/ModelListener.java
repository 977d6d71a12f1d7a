package dev.abacus.topology.model;

/**
 * Observes calls of chat and embedding models. Methods are called by many threads at once, must
 * return quickly and must not throw.
 *
 * <p>{@link #around(ModelClient)} and {@link #around(Embedder)} attach a listener. Around a
 * provider's client it observes single attempts, around retries it observes whole calls.
 */
@FunctionalInterface
public interface ModelListener {

  /** Called before a request is sent to a chat model. */
  default void calling(String model) {}

  /** Called when a call ended with an answer or a failure. */
  void ended(String model, CallOutcome<?> outcome);

  /** Called when a call of a chat model ended because its thread was interrupted. */
  default void interrupted(String model) {}

  /** The client, observed by this listener. */
  default ModelClient around(ModelClient next) {
    return request -> {
      calling(request.model());
      ModelAnswer answer;
      try {
        answer = next.call(request);
      } catch (InterruptedException e) {
        interrupted(request.model());
        throw e;
      }
      ended(request.model(), answer);
      return answer;
    };
  }

  /** The embedder, observed by this listener. */
  default Embedder around(Embedder next) {
    return Embedder.of(
        next.name(),
        texts -> {
          EmbeddingAnswer answer = next.embed(texts);
          ended(next.name(), answer);
          return answer;
        });
  }
}
