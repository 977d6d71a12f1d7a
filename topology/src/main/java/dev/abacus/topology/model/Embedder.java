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
   * Embeds images into the space of the texts. The default is for embedders of texts only: it fails
   * with {@link ModelFailure.Refused} and status 415.
   *
   * @param images parts that are images
   * @return as {@link #embed}
   * @throws InterruptedException if the thread is interrupted
   */
  default EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
    return EmbeddingAnswer.Failed.withoutCall(
        new ModelFailure.Refused(415, name() + " embeds texts, no images"));
  }

  /** This embedder, whose calls have a purpose on whatever thread. */
  default Embedder forPurpose(CallPurpose purpose) {
    Embedder next = this;
    return new Embedder() {
      @Override
      public String name() {
        return next.name();
      }

      @Override
      public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
        return purpose.call(() -> next.embed(texts));
      }

      @Override
      public EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
        return purpose.call(() -> next.embedImages(images));
      }
    };
  }
}
