package dev.abacus.topology.model.embedding;

import com.github.benmanes.caffeine.cache.AsyncCache;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Embeds texts that are not in the cache, each once and all in one batch. If another thread is
 * embedding a text, waits for its result. So a document that many implementations process at the
 * same time is embedded once.
 */
public final class CachingEmbedder implements Embedder {

  private final Embedder next;
  private final AsyncCache<EmbeddingCache.Key, Embedding> cache;

  /** An embedder with a cache, which other embedders may share. */
  public CachingEmbedder(Embedder next, EmbeddingCache cache) {
    this.next = next;
    this.cache = cache.embeddings();
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    SequencedMap<EmbeddingCache.Key, String> wanted = new LinkedHashMap<>();
    texts.forEach(text -> wanted.put(EmbeddingCache.Key.of(name(), text), text));
    ExecutionStats total = ExecutionStats.NONE;
    while (true) {
      long start = System.nanoTime();
      Map<EmbeddingCache.Key, String> mine = new LinkedHashMap<>();
      CompletableFuture<Map<EmbeddingCache.Key, Embedding>> embedded = new CompletableFuture<>();
      CompletableFuture<Map<EmbeddingCache.Key, Embedding>> all =
          cache.getAll(
              wanted.keySet(),
              (missing, _) -> {
                missing.forEach(key -> mine.put(key, Objects.requireNonNull(wanted.get(key))));
                return embedded;
              });
      EmbeddingAnswer answer = embed(mine, embedded);
      if (answer instanceof EmbeddingAnswer.Failed failed) {
        return failed.after(total);
      }
      try {
        Map<EmbeddingCache.Key, Embedding> known = all.get();
        List<Embedding> inOrder =
            texts.stream()
                .map(text -> Objects.requireNonNull(known.get(EmbeddingCache.Key.of(name(), text))))
                .toList();
        return new EmbeddingAnswer.Success(inOrder, total.plus(since(start, answer)));
      } catch (ExecutionException e) {
        // Another thread failed: the next round embeds its texts.
        total = total.plus(since(start, answer));
      }
    }
  }

  /** What a round took, with the wait for other threads. */
  private static ExecutionStats since(long start, EmbeddingAnswer answer) {
    return answer.stats().withLatency((System.nanoTime() - start) / 1e9);
  }

  /** Embeds the texts that are missing, and completes their future: on failure by cancellation. */
  private EmbeddingAnswer embed(
      Map<EmbeddingCache.Key, String> missing,
      CompletableFuture<Map<EmbeddingCache.Key, Embedding>> embedded)
      throws InterruptedException {
    if (missing.isEmpty()) {
      return EmbeddingAnswer.Success.EMPTY;
    }
    try {
      EmbeddingAnswer answer = next.embed(List.copyOf(missing.values()));
      if (answer instanceof EmbeddingAnswer.Success success) {
        Iterator<Embedding> vectors = success.embeddings().iterator();
        embedded.complete(
            missing.keySet().stream().collect(Collectors.toMap(key -> key, _ -> vectors.next())));
      }
      return answer;
    } finally {
      embedded.cancel(false);
    }
  }
}
