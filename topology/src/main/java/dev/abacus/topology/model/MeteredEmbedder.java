package dev.abacus.topology.model;

import java.util.List;

/** Tells a listener of every batch. */
public final class MeteredEmbedder implements Embedder {

  private final Embedder next;
  private final ModelListener listener;

  /** Meters that embedder. */
  public MeteredEmbedder(Embedder next, ModelListener listener) {
    this.next = next;
    this.listener = listener;
  }

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
}
