package dev.abacus.topology.model;

import java.util.List;

/** Turns texts into vectors. Safe for use by many threads at once. */
public interface Embedder {

  /** Its name in the model catalogue; vectors of different embedders do not compare. */
  String name();

  /**
   * Embeds a batch; an empty one costs nothing.
   *
   * @return unit vectors or a failure; what goes wrong with the model or the network is never
   *     thrown
   * @throws InterruptedException if the thread is interrupted
   */
  EmbeddingAnswer embed(List<String> texts) throws InterruptedException;

  /**
   * Embeds images to vectors that compare with those of texts. An embedder of texts alone, as all
   * are unless they say otherwise, refuses.
   *
   * @param images images only
   * @return as {@link #embed}
   * @throws InterruptedException if the thread is interrupted
   */
  default EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
    return new EmbeddingAnswer.Failed(
        new ModelFailure.Refused(415, name() + " embeds texts, no images"), 0, 0, 0);
  }
}
