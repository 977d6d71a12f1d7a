package dev.abacus.topology.reference.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of vectors by key, for similarity search. All vectors have length 1 and the same number
 * of dimensions, so cosine and dot product are equal. One thread writes; any number of threads
 * search at the same time.
 */
public interface VectorIndex extends AutoCloseable {

  /**
   * Adds a vector, or replaces the vector of the key.
   *
   * @throws IllegalArgumentException if it has other dimensions than the index
   */
  void put(String key, float[] unit);

  /** Removes the vector of a key, if there is one. */
  void remove(String key);

  /** Makes earlier changes visible to searches; called after each batch of changes. */
  default void flush() {}

  /** The number of vectors. */
  int size();

  /** The vector of a key; null if there is none. */
  float @Nullable [] find(String key);

  /**
   * The k most similar vectors, best first; fewer if the index has fewer.
   *
   * @param k at least 1
   * @throws IllegalArgumentException if the query has other dimensions than the index
   */
  List<Neighbour> nearest(float[] unit, int k);

  /**
   * All vectors with at least this similarity, best first. Exact even if {@link #nearest} is
   * approximate.
   *
   * @throws IllegalArgumentException if the query has other dimensions than the index
   */
  List<Neighbour> atLeast(float[] unit, double similarity);

  @Override
  default void close() {}
}
