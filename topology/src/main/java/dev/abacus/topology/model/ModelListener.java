package dev.abacus.topology.model;

/**
 * Hears of every call, from many threads at once; must be quick and must not throw. Behind an
 * interface so that this package needs no metrics library.
 */
public interface ModelListener {

  /** A request is about to be sent. */
  default void calling(ModelRequest request) {}

  /** A call ended with an answer or a failure. */
  default void answered(ModelRequest request, ModelAnswer answer) {}

  /** A call ended because its thread was interrupted. */
  default void interrupted(ModelRequest request) {}

  /** Texts were embedded, or not, by the embedder of that name. */
  default void embedded(String embedder, int texts, EmbeddingAnswer answer) {}
}
