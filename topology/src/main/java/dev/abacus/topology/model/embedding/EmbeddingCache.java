package dev.abacus.topology.model.embedding;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.RequestHash;

/**
 * A cache of embeddings by embedder and text, bounded by its memory. All implementations of an
 * operator embed the same documents, so all embedders of a process share one cache.
 */
public final class EmbeddingCache {

  /** The default size in bytes: about 40,000 vectors of 384 dimensions. */
  public static final long DEFAULT_BYTES = 64L << 20;

  private static final int BYTES_PER_ENTRY = 200;

  private final AsyncCache<Key, Embedding> embeddings;

  /** An empty cache of at most {@code maxBytes} bytes, including an estimate of the overhead. */
  public EmbeddingCache(long maxBytes) {
    this.embeddings =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Embedding embedding) ->
                BYTES_PER_ENTRY + Float.BYTES * embedding.dimensions())
            .buildAsync();
  }

  /** Contains a hash instead of the text, because texts need more memory than vectors. */
  record Key(String embedder, String hash) {
    static Key of(String embedder, String text) {
      return new Key(embedder, RequestHash.of(text));
    }
  }

  /** The known embeddings, and those that a thread is making. */
  AsyncCache<Key, Embedding> embeddings() {
    return embeddings;
  }
}
