package dev.abacus.topology.reference.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Vectors by key, and the search for those most similar to a query. All vectors have length 1 and
 * one number of dimensions, so that cosine and dot product are the same.
 *
 * <p>One thread writes, any number search at the same time.
 */
public interface VectorIndex extends AutoCloseable {

  /**
   * Adds a vector, or replaces the one of that key.
   *
   * @throws IllegalArgumentException if its dimensions are not those of the others
   */
  void put(String key, float[] unit);

  /** Removes the vector of that key; does nothing if there is none. */
  void remove(String key);

  /** Lets searches see what was put and removed before; called once per batch of changes. */
  default void flush() {}

  /** How many vectors there are. */
  int size();

  /** The vector of a key; null if there is none, or if this index cannot give vectors back. */
  float @Nullable [] find(String key);

  /**
   * The k most similar, best first; fewer if there are not as many.
   *
   * @param k at least 1
   * @throws IllegalArgumentException if the query has other dimensions than the vectors
   */
  List<Neighbour> nearest(float[] unit, int k);

  /**
   * All that are at least that similar, best first. Exact, whatever {@link #nearest} is.
   *
   * @throws IllegalArgumentException if the query has other dimensions than the vectors
   */
  List<Neighbour> atLeast(float[] unit, double similarity);

  @Override
  default void close() {}
}
