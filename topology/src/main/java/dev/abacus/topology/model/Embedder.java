package dev.abacus.topology.model;

import java.util.List;

/** Maps texts to vectors. Implementations are thread-safe. */
public interface Embedder {

  /** The name in the model catalogue. Vectors of different embedders are not comparable. */
  String name();

  /**
   * Embeds a batch of texts. An empty batch costs nothing.
   *
   * @return unit vectors or a failure; errors of the model or the network are values and never
   *     exceptions
   * @throws InterruptedException if the thread is interrupted
   */
  EmbeddingAnswer embed(List<String> texts) throws InterruptedException;

  /**
   * The answer for images: a failure with {@link ModelFailure.Refused} and status 415, because no
   * embedder has images in the space of texts.
   */
  default EmbeddingAnswer refusedImages() {
    return EmbeddingAnswer.Failed.withoutCall(
        new ModelFailure.Refused(415, name() + " embeds texts, no images"));
  }

  /** Embeds texts as an embedder does. */
  @FunctionalInterface
  interface Call {
    EmbeddingAnswer embed(List<String> texts) throws InterruptedException;
  }

  /** An embedder of this name that makes its calls so. */
  static Embedder of(String name, Call call) {
    return new Named(name, call);
  }

  /** An embedder that a call carries out. */
  record Named(String name, Call call) implements Embedder {
    @Override
    public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
      return call.embed(texts);
    }
  }

  /**
   * This embedder, whose calls end although their thread is interrupted, as {@link
   * UninterruptedModelClient} does, so that their tokens are counted.
   */
  default Embedder uninterrupted() {
    return of(name(), texts -> UninterruptedModelClient.untilItEnds(() -> embed(texts)));
  }

  /** This embedder, whose calls have a purpose on whatever thread. */
  default Embedder forPurpose(CallPurpose purpose) {
    return of(name(), texts -> purpose.call(() -> embed(texts)));
  }
}
