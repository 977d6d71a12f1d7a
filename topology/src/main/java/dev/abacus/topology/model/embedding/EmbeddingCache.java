package dev.abacus.topology.model.embedding;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.RequestHash;
import org.jspecify.annotations.Nullable;

/**
 * Embeddings by embedder and content, bounded by the memory that they take. All implementations of
 * an operator chunk and embed the same documents again and again; one cache serves them all.
 */
public final class EmbeddingCache {

  /** What holds where nobody says otherwise: about 40 thousand vectors of 384 dimensions. */
  public static final long DEFAULT_BYTES = 64L << 20;

  private static final int BYTES_PER_ENTRY = 200;

  private final Cache<Key, Embedding> cache;

  /** A cache of at most that many bytes, overhead included as an estimate. */
  public EmbeddingCache(long maxBytes) {
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Embedding embedding) ->
                BYTES_PER_ENTRY + Float.BYTES * embedding.dimensions())
            .build();
  }

  /** By a hash, because the texts themselves would take more memory than the vectors. */
  private record Key(String embedder, String hash) {}

  @Nullable Embedding find(String embedder, String text) {
    return cache.getIfPresent(new Key(embedder, RequestHash.of(text)));
  }

  void put(String embedder, String text, Embedding embedding) {
    cache.put(new Key(embedder, RequestHash.of(text)), embedding);
  }
}
