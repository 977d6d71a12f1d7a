package dev.abacus.topology.model.embedding;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.RequestHash;
import org.jspecify.annotations.Nullable;

/**
 * A cache of embeddings by embedder and text, bounded by its memory. All implementations of an
 * operator embed the same documents, so all embedders of a process share one cache.
 */
public final class EmbeddingCache {

  /** The default size in bytes: about 40,000 vectors of 384 dimensions. */
  public static final long DEFAULT_BYTES = 64L << 20;

  private static final int BYTES_PER_ENTRY = 200;

  private final Cache<Key, Embedding> cache;

  /** An empty cache of at most {@code maxBytes} bytes, including an estimate of the overhead. */
  public EmbeddingCache(long maxBytes) {
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Embedding embedding) ->
                BYTES_PER_ENTRY + Float.BYTES * embedding.dimensions())
            .build();
  }

  /** Contains a hash instead of the text, because texts need more memory than vectors. */
  private record Key(String embedder, String hash) {}

  @Nullable Embedding find(String embedder, String text) {
    return cache.getIfPresent(new Key(embedder, RequestHash.of(text)));
  }

  void put(String embedder, String text, Embedding embedding) {
    cache.put(new Key(embedder, RequestHash.of(text)), embedding);
  }
}
