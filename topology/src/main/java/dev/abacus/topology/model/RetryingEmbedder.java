package dev.abacus.topology.model;

import java.util.List;
import java.util.random.RandomGenerator;

/** Tries again as {@link RetryingModelClient} does, by the same rules. */
public final class RetryingEmbedder implements Embedder {

  private final Embedder next;
  private final Retries retries;

  /** Retries around that embedder; {@code random} must be safe for use by many threads. */
  public RetryingEmbedder(
      Embedder next, RetryPolicy policy, Sleeper pause, RandomGenerator random) {
    this.next = next;
    this.retries = new Retries(policy, pause, random);
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    return retries.run(_ -> next.embed(texts));
  }
}
