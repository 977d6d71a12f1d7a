package dev.abacus.topology.runtime;

/**
 * The offsets of the receipts of a partition by the hash of their requests, so that millions of
 * receipts fit into memory. An entry takes 16 to 32 bytes; at the bound the older half is
 * forgotten.
 *
 * <p>Requests are told apart by 64 bits: of five million receipts, two are confused with a
 * probability of one in a million, and then a call is made again.
 *
 * <p>Not thread-safe.
 */
final class ReceiptOffsets {

  /** The offset of a request without a receipt. */
  static final long NONE = -1;

  private static final int LEAST_SLOTS = 1 << 8;

  private final int bound;
  private Table newer = new Table(LEAST_SLOTS);
  private Table older = new Table(LEAST_SLOTS);

  /**
   * @param bound largest number of entries; at least half of them, the newest ones, are kept
   */
  ReceiptOffsets(int bound) {
    this.bound = bound;
  }

  /** The offset of the newest receipt of a request, or {@link #NONE}. */
  long find(String requestHash) {
    long fingerprint = fingerprint(requestHash);
    long offset = newer.find(fingerprint);
    return offset == NONE ? older.find(fingerprint) : offset;
  }

  void put(String requestHash, long offset) {
    newer = newer.with(fingerprint(requestHash), offset);
    if (newer.size >= bound / 2) {
      older = newer;
      newer = new Table(LEAST_SLOTS);
    }
  }

  void clear() {
    newer = new Table(LEAST_SLOTS);
    older = newer;
  }

  /** FNV-1a of 64 bits; never 0, which marks a free slot. */
  private static long fingerprint(String requestHash) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < requestHash.length(); i++) {
      hash = (hash ^ requestHash.charAt(i)) * 0x100000001b3L;
    }
    return hash == 0 ? 1 : hash;
  }

  /** A hash table with linear probing, at most three quarters full. */
  private static final class Table {
    private final long[] fingerprints;
    private final long[] offsets;
    private int size;

    private Table(int slots) {
      fingerprints = new long[slots];
      offsets = new long[slots];
    }

    private int slot(long fingerprint) {
      int mask = fingerprints.length - 1;
      int slot = Long.hashCode(fingerprint * 0x9e3779b97f4a7c15L) & mask;
      while (fingerprints[slot] != 0 && fingerprints[slot] != fingerprint) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private long find(long fingerprint) {
      int slot = slot(fingerprint);
      return fingerprints[slot] == 0 ? NONE : offsets[slot];
    }

    /** This table with an entry, or a larger one. */
    private Table with(long fingerprint, long offset) {
      Table table = size < fingerprints.length / 4 * 3 ? this : grown();
      int slot = table.slot(fingerprint);
      table.size += table.fingerprints[slot] == 0 ? 1 : 0;
      table.fingerprints[slot] = fingerprint;
      table.offsets[slot] = offset;
      return table;
    }

    private Table grown() {
      Table twice = new Table(2 * fingerprints.length);
      for (int i = 0; i < fingerprints.length; i++) {
        if (fingerprints[i] != 0) {
          twice = twice.with(fingerprints[i], offsets[i]);
        }
      }
      return twice;
    }
  }
}
