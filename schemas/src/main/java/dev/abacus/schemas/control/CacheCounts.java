package dev.abacus.schemas.control;

import org.jspecify.annotations.Nullable;

/**
 * What the prompt caches of providers took off the latest live documents of one operator, on one
 * instance. Counts only what the prompts of other documents had left in the cache: what the calls
 * of one document share is part of its cost. The counts are halved as they grow, so they follow the
 * stream.
 *
 * @param implementation id of the implementation; counts of another one are forgotten
 * @param documents finished documents with a cost
 * @param costUsd what they had cost without other documents
 * @param savedUsd the part of it that was not charged
 */
public record CacheCounts(String implementation, long documents, double costUsd, double savedUsd) {

  public CacheCounts {
    if (documents < 0 || !(savedUsd >= 0 && savedUsd <= costUsd)) {
      throw new IllegalArgumentException(
          "%s USD saved of %s USD for %d documents".formatted(savedUsd, costUsd, documents));
    }
  }

  /** No documents. */
  public static CacheCounts none(String implementation) {
    return new CacheCounts(implementation, 0, 0, 0);
  }

  /**
   * Adds a document.
   *
   * @param charged USD
   * @param saved USD
   */
  public CacheCounts plus(double charged, double saved) {
    return new CacheCounts(
        implementation, documents + 1, costUsd + (charged + saved), savedUsd + saved);
  }

  /** Half of each count, rounded down. */
  public CacheCounts half() {
    return new CacheCounts(implementation, documents / 2, costUsd / 2, savedUsd / 2);
  }

  /**
   * The sum over two instances; of different implementations, the counts of more documents.
   *
   * @param a null if there is none
   * @param b null if there is none
   */
  public static @Nullable CacheCounts sum(@Nullable CacheCounts a, @Nullable CacheCounts b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    if (!a.implementation.equals(b.implementation)) {
      return a.documents >= b.documents ? a : b;
    }
    boolean overflows = a.documents > Long.MAX_VALUE - b.documents;
    return overflows
        ? a
        : new CacheCounts(
            a.implementation,
            a.documents + b.documents,
            a.costUsd + b.costUsd,
            a.savedUsd + b.savedUsd);
  }

  /** The saved part of the cost, in [0, 1]. */
  public double share() {
    return costUsd > 0 ? savedUsd / costUsd : 0;
  }
}
