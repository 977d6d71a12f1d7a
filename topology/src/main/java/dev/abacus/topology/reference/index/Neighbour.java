package dev.abacus.topology.reference.index;

import java.util.Comparator;
import java.util.Objects;

/**
 * A vector that was found.
 *
 * @param key what it was put under
 * @param similarity cosine to the query, in [-1, 1] up to rounding
 */
public record Neighbour(String key, double similarity) {

  /** Most similar first; of equally similar ones the smaller key, so that results are stable. */
  public static final Comparator<Neighbour> BEST_FIRST =
      Comparator.comparingDouble(Neighbour::similarity).reversed().thenComparing(Neighbour::key);

  public Neighbour {
    Objects.requireNonNull(key, "key");
  }
}
