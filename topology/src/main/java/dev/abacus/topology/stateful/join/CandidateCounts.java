package dev.abacus.topology.stateful.join;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the candidate pairs of left documents until they expire. A document's pairs are counted
 * only then, because most partners come after it. To bound the memory, a part of the documents is
 * counted. The counts are not stored: documents that were buffered before a restart are left out.
 */
final class CandidateCounts {

  /** The most documents that are counted at a time. */
  static final int MOST = 1_000;

  private final Map<Long, Long> pairs = new HashMap<>();

  /** Starts to count a left document, if there is room. */
  void begin(long number) {
    if (pairs.size() < MOST) {
      pairs.put(number, 0L);
    }
  }

  /** Counts a pair of a left document. */
  void increment(long number) {
    pairs.computeIfPresent(number, (_, count) -> count + 1);
  }

  /** Ends the count of a document; null if it was not counted. */
  @Nullable Long end(long number) {
    return pairs.remove(number);
  }
}
