package dev.abacus.topology.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The offsets of the receipts of a partition by the hash of their requests, so that millions of
 * receipts fit into memory. An entry takes 11 to 22 bytes: 8 for a slot, of which three quarters
 * are used, and the newest table may be empty. Above the bound the oldest entries are forgotten.
 *
 * <p>Nothing is moved when it grows: a full table stays as it is, and the next one is twice as
 * large. Within a table, requests are told apart by their slot and 32 bits: of five million
 * receipts, one is confused with a probability of about one in a hundred, and then a call is made
 * again.
 *
 * <p>Not thread-safe.
 */
final class ReceiptOffsets {

  /** The offset of a request without a receipt. */
  static final long NONE = -1;

  private static final int LEAST_SLOTS = 1 << 7;
  private static final int MOST_SLOTS = 1 << 20;

  private final int bound;
  private final int mostSlots;

  /** The newest first. */
  private final Deque<Table> tables = new ArrayDeque<>();

  private int size;

  /**
   * @param bound largest number of entries; at least half of them, the newest ones, are kept
   */
  ReceiptOffsets(int bound) {
    this.bound = bound;
    this.mostSlots = Math.min(MOST_SLOTS, Math.max(LEAST_SLOTS, Integer.highestOneBit(bound / 2)));
    clear();
  }

  /** The offset of the newest receipt of a request, or {@link #NONE}. */
  long find(String requestHash) {
    long fingerprint = fingerprint(requestHash);
    for (Table table : tables) {
      long offset = table.find(fingerprint);
      if (offset != NONE) {
        return offset;
      }
    }
    return NONE;
  }

  void put(String requestHash, long offset) {
    Table newest = tables.getFirst();
    if (newest.isFull() || !newest.holds(offset)) {
      newest = new Table(Math.min(mostSlots, 2 * newest.entries.length), offset);
      tables.addFirst(newest);
    }
    size += newest.put(fingerprint(requestHash), offset) ? 1 : 0;
    if (size > bound) {
      size -= tables.removeLast().size;
    }
  }

  void clear() {
    tables.clear();
    tables.add(new Table(LEAST_SLOTS, 0));
    size = 0;
  }

  /** FNV-1a of 64 bits, whose upper half, which is not 0, tells requests of one slot apart. */
  private static long fingerprint(String requestHash) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < requestHash.length(); i++) {
      hash = (hash ^ requestHash.charAt(i)) * 0x100000001b3L;
    }
    return hash >>> Integer.SIZE == 0 ? hash | 1L << Integer.SIZE : hash;
  }

  /**
   * A hash table with linear probing, at most three quarters full. An entry has the upper half of
   * the fingerprint and the distance of the offset from the first one.
   */
  private static final class Table {
    private static final long LOWER = 0xffffffffL;

    private final long[] entries;
    private final long first;
    private int size;

    private Table(int slots, long first) {
      this.entries = new long[slots];
      this.first = first;
    }

    private boolean isFull() {
      return size >= entries.length / 4 * 3;
    }

    private boolean holds(long offset) {
      return offset >= first && offset - first <= LOWER;
    }

    private int slot(long fingerprint) {
      int mask = entries.length - 1;
      int slot = (int) fingerprint & mask;
      while (entries[slot] != 0 && (entries[slot] ^ fingerprint) >>> Integer.SIZE != 0) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private long find(long fingerprint) {
      long entry = entries[slot(fingerprint)];
      return entry == 0 ? NONE : first + (entry & LOWER);
    }

    /** Returns whether the request is new. */
    private boolean put(long fingerprint, long offset) {
      int slot = slot(fingerprint);
      boolean added = entries[slot] == 0;
      size += added ? 1 : 0;
      entries[slot] = (fingerprint & ~LOWER) | (offset - first);
      return added;
    }
  }
}
