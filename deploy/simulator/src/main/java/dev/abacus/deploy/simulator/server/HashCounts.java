package dev.abacus.deploy.simulator.server;

/**
 * Counts occurrences of 64-bit hashes. Open addressing in stripes takes 12 bytes per slot, so that
 * a benchmark of a million requests needs some tens of megabytes.
 */
final class HashCounts {

  private static final int STRIPES = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];

  HashCounts() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** Counts an occurrence and returns the number of earlier ones. */
  int add(long hash) {
    return stripes[(int) (hash >>> 58)].add(hash == 0 ? 1 : hash);
  }

  private static final class Stripe {
    private long[] keys = new long[256];
    private int[] counts = new int[256];
    private int size;

    synchronized int add(long hash) {
      int slot = find(keys, hash);
      if (keys[slot] == 0) {
        keys[slot] = hash;
        if (++size * 2 > keys.length) {
          grow();
          slot = find(keys, hash);
        }
      }
      return counts[slot]++;
    }

    private static int find(long[] keys, long hash) {
      int slot = (int) hash & (keys.length - 1);
      while (keys[slot] != 0 && keys[slot] != hash) {
        slot = (slot + 1) & (keys.length - 1);
      }
      return slot;
    }

    private void grow() {
      long[] newKeys = new long[keys.length * 2];
      int[] newCounts = new int[keys.length * 2];
      for (int i = 0; i < keys.length; i++) {
        if (keys[i] != 0) {
          int slot = find(newKeys, keys[i]);
          newKeys[slot] = keys[i];
          newCounts[slot] = counts[i];
        }
      }
      keys = newKeys;
      counts = newCounts;
    }
  }
}
