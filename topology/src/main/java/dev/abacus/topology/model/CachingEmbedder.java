package dev.abacus.topology.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Embeds what the cache does not know, every text once and all in one batch. */
public final class CachingEmbedder implements Embedder {

  private final Embedder next;
  private final EmbeddingCache cache;

  /** That embedder behind that cache, which it may share with others. */
  public CachingEmbedder(Embedder next, EmbeddingCache cache) {
    this.next = next;
    this.cache = cache;
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    Map<String, Embedding> known = new HashMap<>();
    List<String> unknown = new ArrayList<>();
    for (String text : List.copyOf(texts).stream().distinct().toList()) {
      Embedding cached = cache.find(name(), text);
      if (cached == null) {
        unknown.add(text);
      } else {
        known.put(text, cached);
      }
    }
    if (unknown.isEmpty()) {
      return new EmbeddingAnswer.Success(inOrder(texts, known), 0, 0, 0);
    }
    EmbeddingAnswer answer = next.embed(unknown);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed -> failed;
      case EmbeddingAnswer.Success(var fresh, double cost, double latency, int attempts) -> {
        for (int i = 0; i < unknown.size(); i++) {
          cache.put(name(), unknown.get(i), fresh.get(i));
          known.put(unknown.get(i), fresh.get(i));
        }
        yield new EmbeddingAnswer.Success(inOrder(texts, known), cost, latency, attempts);
      }
    };
  }

  private static List<Embedding> inOrder(List<String> texts, Map<String, Embedding> known) {
    return texts.stream().map(text -> Objects.requireNonNull(known.get(text))).toList();
  }
}
