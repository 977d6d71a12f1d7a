package dev.abacus.schemas.control;

import org.jspecify.annotations.Nullable;

/**
 * The latest calls of one operator for several live documents, on one instance. The counts are
 * halved as they grow, so they follow the stream.
 *
 * @param size the largest number of documents per call of the implementation
 * @param documents documents of the calls
 * @param calls number of calls: each document counts with its share of its call
 */
public record BatchCounts(int size, long documents, double calls) {

  public BatchCounts {
    if (size < 2 || documents < 0 || !(calls >= 0 && calls <= documents + 1.0)) {
      throw new IllegalArgumentException(
          "%s calls for %d documents, at most %d per call".formatted(calls, documents, size));
    }
  }

  /** Adds one document of a call. */
  public BatchCounts plus(int documentsOfCall) {
    return new BatchCounts(size, documents + 1, calls + 1.0 / documentsOfCall);
  }

  /** Half of each count, rounded down. */
  public BatchCounts half() {
    return new BatchCounts(size, documents / 2, calls / 2);
  }

  /**
   * The sum over two instances; of different sizes, the counts of more documents.
   *
   * @param a null if there is none
   * @param b null if there is none
   */
  public static @Nullable BatchCounts sum(@Nullable BatchCounts a, @Nullable BatchCounts b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    if (a.size != b.size) {
      return a.documents >= b.documents ? a : b;
    }
    boolean overflows = a.documents > Long.MAX_VALUE - b.documents;
    return overflows ? a : new BatchCounts(a.size, a.documents + b.documents, a.calls + b.calls);
  }

  /** Mean number of documents that share the call of a document; the size if there is no call. */
  public double mean() {
    return calls > 0 ? Math.clamp(documents / calls, 1, size) : size;
  }
}
