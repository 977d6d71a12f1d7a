package dev.abacus.topology.model.embedding;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/**
 * Embeds texts that are not in the cache, each once and all in one batch. If another thread is
 * embedding a text, waits for its result. So a document that many implementations process at the
 * same time is embedded once.
 */
public final class CachingEmbedder implements Embedder {

  private final Embedder next;
  private final EmbeddingCache cache;
  private final ConcurrentMap<String, CompletableFuture<Embedding>> inProgress =
      new ConcurrentHashMap<>();

  /** An embedder with a cache, which other embedders may share. */
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
    ExecutionStats total = ExecutionStats.NONE;
    for (Division work = divide(texts, known); !work.isEmpty(); work = divide(texts, known)) {
      long start = System.nanoTime();
      EmbeddingAnswer answer = embed(work.mine(), known);
      if (answer instanceof EmbeddingAnswer.Failed failed) {
        return failed.after(total);
      }
      await(work.others(), known);
      total = total.plus(answer.stats().withLatency((System.nanoTime() - start) / 1e9));
    }
    List<Embedding> inOrder =
        texts.stream().map(text -> Objects.requireNonNull(known.get(text))).toList();
    return new EmbeddingAnswer.Success(inOrder, total);
  }

  /** Texts for this thread to embed, and texts that other threads are embedding. */
  private record Division(
      Map<String, CompletableFuture<Embedding>> mine,
      Map<String, CompletableFuture<Embedding>> others) {

    boolean isEmpty() {
      return mine.isEmpty() && others.isEmpty();
    }
  }

  private Division divide(List<String> texts, Map<String, Embedding> known) {
    Division division = new Division(new LinkedHashMap<>(), new LinkedHashMap<>());
    for (String text : texts) {
      if (known.containsKey(text) || division.mine().containsKey(text)) {
        continue;
      }
      Embedding cached = cache.find(name(), text);
      if (cached != null) {
        known.put(text, cached);
        continue;
      }
      CompletableFuture<Embedding> own = new CompletableFuture<>();
      CompletableFuture<Embedding> other = inProgress.putIfAbsent(text, own);
      if (other == null) {
        division.mine().put(text, own);
      } else {
        division.others().put(text, other);
      }
    }
    return division;
  }

  /** Embeds the texts of this thread and completes their futures: on failure by cancellation. */
  private EmbeddingAnswer embed(
      Map<String, CompletableFuture<Embedding>> mine, Map<String, Embedding> known)
      throws InterruptedException {
    if (mine.isEmpty()) {
      return EmbeddingAnswer.Success.EMPTY;
    }
    List<String> texts = List.copyOf(mine.keySet());
    try {
      EmbeddingAnswer answer = next.embed(texts);
      if (answer instanceof EmbeddingAnswer.Success success) {
        for (int i = 0; i < texts.size(); i++) {
          cache.put(name(), texts.get(i), success.embeddings().get(i));
          known.put(texts.get(i), success.embeddings().get(i));
        }
      }
      return answer;
    } finally {
      mine.forEach((text, future) -> {
        inProgress.remove(text, future);
        Embedding embedding = known.get(text);
        if (embedding == null) {
          future.cancel(false);
        } else {
          future.complete(embedding);
        }
      });
    }
  }

  /** Waits for other threads. Texts that they fail to embed are left for the next round. */
  private static void await(
      Map<String, CompletableFuture<Embedding>> others, Map<String, Embedding> known)
      throws InterruptedException {
    for (Map.Entry<String, CompletableFuture<Embedding>> other : others.entrySet()) {
      try {
        known.put(other.getKey(), other.getValue().get());
      } catch (CancellationException e) {
        // The other thread failed: the next round embeds this text.
      } catch (ExecutionException e) {
        throw new IllegalStateException("futures fail only by cancellation", e.getCause());
      }
    }
  }
}
