package dev.abacus.topology.reference.index;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.EmbeddingMatch;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.EmbeddingStore;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the vectors in a store outside, such as PostgreSQL with pgvector: any that langchain4j
 * knows. A store is asked by ids of its own kind, so a key's id is the UUID of its bytes (RFC 4122,
 * version 3), and the key itself is the text.
 *
 * <p>Changes go there in batches, at the latest with {@link #flush}. While the store cannot be
 * reached they are kept, and written with the next flush that succeeds.
 *
 * <p>The store belongs to this process: several instances need a table each.
 */
public final class StoredIndex implements VectorIndex {

  private static final Logger LOG = LoggerFactory.getLogger(StoredIndex.class);

  private static final Optional<float[]> NOTHING = Optional.empty();

  /** Changes written at a time, at most. */
  private static final int BATCH = 500;

  private final EmbeddingStore<TextSegment> store;
  private final int dimensions;
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /** Keys that are, or may be, in the store. */
  private final Set<String> stored = new HashSet<>();

  /** What the store does not know yet; nothing to be found under a key that was removed. */
  private final Map<String, Optional<float[]>> changes = new LinkedHashMap<>();

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
  public synchronized void put(String key, float[] unit) {
    requireDimensions(unit);
    keys.add(key);
    change(key, Optional.of(unit.clone()));
  }

  @Override
  public synchronized void remove(String key) {
    if (keys.remove(key)) {
      change(key, Optional.empty());
    }
  }

  private void change(String key, Optional<float[]> vector) {
    changes.put(key, vector);
    if (changes.size() % BATCH == 0) {
      flush();
    }
  }

  @Override
  public synchronized void flush() {
    try {
      while (!changes.isEmpty()) {
        write(List.copyOf(changes.keySet()).subList(0, Math.min(BATCH, changes.size())));
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "{} vectors cannot be written to their store for now: {}", changes.size(), e.toString());
    }
  }

  /** Not every store replaces what has the same id, so what is there goes first. */
  private void write(List<String> batch) {
    List<String> old = batch.stream().filter(stored::contains).map(StoredIndex::id).toList();
    if (!old.isEmpty()) {
      store.removeAll(old);
    }
    List<String> fresh =
        batch.stream().filter(key -> changes.getOrDefault(key, NOTHING).isPresent()).toList();
    stored.addAll(fresh);
    if (!fresh.isEmpty()) {
      store.addAll(
          fresh.stream().map(StoredIndex::id).toList(),
          fresh.stream()
              .map(key -> Embedding.from(changes.getOrDefault(key, NOTHING).orElseThrow()))
              .toList(),
          fresh.stream().map(TextSegment::from).toList());
    }
    batch.forEach(changes::remove);
    batch.stream().filter(key -> !fresh.contains(key)).forEach(stored::remove);
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
    return found(request).stream()
        .map(StoredIndex::neighbour)
        .sorted(Neighbour.BEST_FIRST)
        .toList();
  }

  private List<EmbeddingMatch<TextSegment>> found(EmbeddingSearchRequest request) {
    try {
      return store.search(request).matches();
    } catch (RuntimeException e) {
      throw new IllegalStateException("the vector store cannot be searched: " + e, e);
    }
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
