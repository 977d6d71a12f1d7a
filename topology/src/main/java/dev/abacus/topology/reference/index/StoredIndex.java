package dev.abacus.topology.reference.index;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.EmbeddingMatch;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.EmbeddingStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the vectors in a store outside, such as PostgreSQL with pgvector: any that langchain4j
 * knows. A store is asked by ids of its own kind, so a key's id is the UUID of its bytes (RFC 4122,
 * version 3), and the key itself is the text.
 *
 * <p>The store belongs to this process: several instances need a table each.
 */
public final class StoredIndex implements VectorIndex {

  private final EmbeddingStore<TextSegment> store;
  private final int dimensions;
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /**
   * An index over a store.
   *
   * @param store emptied first: what is to be in it comes from the embedded topic
   */
  public StoredIndex(EmbeddingStore<TextSegment> store, int dimensions) {
    this.store = store;
    this.dimensions = dimensions;
    store.removeAll();
  }

  @Override
  public void put(String key, float[] unit) {
    requireDimensions(unit);
    // Not every store replaces what has the same id.
    if (!keys.add(key)) {
      store.removeAll(List.of(id(key)));
    }
    store.addAll(List.of(id(key)), List.of(Embedding.from(unit)), List.of(TextSegment.from(key)));
  }

  @Override
  public void remove(String key) {
    if (keys.remove(key)) {
      store.removeAll(List.of(id(key)));
    }
  }

  @Override
  public int size() {
    return keys.size();
  }

  /** Null: a store finds vectors, but does not give back the one of a key. */
  @Override
  public float @Nullable [] find(String key) {
    return null;
  }

  @Override
  public List<Neighbour> nearest(float[] unit, int k) {
    return search(unit, k, 0);
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    return search(unit, Math.max(1, keys.size()), Math.clamp((similarity + 1) / 2, 0, 1));
  }

  private List<Neighbour> search(float[] unit, int most, double leastScore) {
    requireDimensions(unit);
    EmbeddingSearchRequest request =
        EmbeddingSearchRequest.builder()
            .queryEmbedding(Embedding.from(unit))
            .maxResults(most)
            .minScore(leastScore)
            .build();
    return store.search(request).matches().stream()
        .map(StoredIndex::neighbour)
        .sorted(Neighbour.BEST_FIRST)
        .toList();
  }

  /** Scores of stores are half of cosine plus one. */
  private static Neighbour neighbour(EmbeddingMatch<TextSegment> match) {
    return new Neighbour(match.embedded().text(), 2 * match.score() - 1);
  }

  private static String id(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private void requireDimensions(float[] vector) {
    if (vector.length != dimensions) {
      throw new IllegalArgumentException(
          "a vector of %d dimensions among vectors of %d".formatted(vector.length, dimensions));
    }
  }
}
