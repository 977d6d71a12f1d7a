package dev.abacus.topology.operator.join;

import org.jspecify.annotations.Nullable;

/**
 * An item that may match a document.
 *
 * @param similarity cosine to the document, in [-1, 1]; NaN if nobody compared them
 * @param weight how many items of the reference it stands for: 1, and in a sample, where only some
 *     are looked at, more
 * @param label whether it matches as far as that is known; null if it is not
 */
public record Candidate(
    ReferenceItem item, double similarity, double weight, @Nullable Boolean label) {

  public Candidate {
    if (!(weight > 0)) {
      throw new IllegalArgumentException("weight " + weight);
    }
  }

  /** An item that stands for itself. */
  public static Candidate of(ReferenceItem item) {
    return new Candidate(item, Double.NaN, 1, null);
  }

  /** An item that stands for itself, and its similarity. */
  public static Candidate of(ReferenceItem item, double similarity) {
    return new Candidate(item, similarity, 1, null);
  }

  /** This one with its similarity. */
  Candidate withSimilarity(double other) {
    return new Candidate(item, other, weight, label);
  }
}
