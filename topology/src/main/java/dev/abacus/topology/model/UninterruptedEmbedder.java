package dev.abacus.topology.model;

import java.util.List;

/**
 * Lets a call that has been sent end although its thread is interrupted, as {@link
 * UninterruptedModelClient} does, so that its tokens are counted.
 */
public record UninterruptedEmbedder(Embedder next) implements Embedder {

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    return UninterruptedModelClient.untilItEnds(() -> next.embed(texts));
  }

  @Override
  public EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
    return UninterruptedModelClient.untilItEnds(() -> next.embedImages(images));
  }
}
