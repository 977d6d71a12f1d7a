package dev.abacus.topology.reference.index;

import java.util.Comparator;

/**
 * A search result.
 *
 * @param key key of the vector
 * @param similarity cosine to the query, in [-1, 1] up to rounding
 */
public record Neighbour(String key, double similarity) {

  /** Most similar first; equally similar vectors by key, so that results are deterministic. */
  public static final Comparator<Neighbour> BEST_FIRST =
      Comparator.comparingDouble(Neighbour::similarity).reversed().thenComparing(Neighbour::key);
}
