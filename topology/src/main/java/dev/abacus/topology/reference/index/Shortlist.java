package dev.abacus.topology.reference.index;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * Which vectors may be among the k most similar, by what their similarity is at most and at least.
 * A vector whose bound falls short of the k-th best lower bound is not among them.
 */
final class Shortlist {

  private final int k;

  /** The k best lower bounds, the worst on top. */
  private final PriorityQueue<Float> lowest = new PriorityQueue<>();

  private float least = Float.NEGATIVE_INFINITY;
  private long[] entries = new long[64];
  private int size;

  Shortlist(int k) {
    this.k = k;
  }

  /** Takes the vectors of a block in, the first so many lanes of it. */
  void add(QuantizedBlock.Bounds bounds, int firstSlot, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      float upper = bounds.upper(lane);
      // Not "at least": what has no bound stays in.
      if (!(upper < least)) {
        add(firstSlot + lane, upper, bounds.lower(lane));
      }
    }
  }

  private void add(int slot, float upper, float lower) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    entries[size++] = entry(slot, upper);
    if (lower > least || (lowest.size() < k && !Float.isNaN(lower))) {
      lowest.add(lower);
      if (lowest.size() > k) {
        lowest.remove();
      }
      least = lowest.size() == k ? lowest.element() : least;
    }
  }

  /** Sorts by bound, the highest first, then by slot. */
  private static long entry(int slot, float upper) {
    int bits = Float.floatToIntBits(upper);
    int ascending = bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
    return ((long) ~ascending << Integer.SIZE) | slot;
  }

  /** Those left, the highest bound first; for {@link #slot} and {@link #upper}. */
  long[] sorted() {
    long[] sorted = Arrays.copyOf(entries, size);
    Arrays.sort(sorted);
    return sorted;
  }

  static int slot(long entry) {
    return (int) entry;
  }

  static float upper(long entry) {
    int ascending = ~(int) (entry >> Integer.SIZE);
    return Float.intBitsToFloat(ascending < 0 ? ascending ^ Integer.MAX_VALUE : ascending);
  }
}
