package dev.abacus.deploy.simulator.truth;

import java.util.Arrays;

/**
 * Maps a shingle to the units (fields of documents) that contain it. Open addressing in two arrays
 * takes 12 bytes per slot, because contracts have millions of shingles. A shingle keeps at most
 * eight units: a more frequent one is boilerplate and identifies no document.
 */
final class ShingleTable {

  private static final int MOST_UNITS = 8;
  private static final int[] NONE = {};

  private long[] keys = new long[1 << 12];
  private int[] units = new int[1 << 12];
  private int size;

  /** Adds an occurrence; false if the unit has the shingle already or the shingle is too common. */
  boolean add(long key, int unit) {
    if (size * 2 >= keys.length) {
      grow();
    }
    int slot = slot(key);
    int seen = 0;
    while (units[slot] != 0) {
      if (keys[slot] == key) {
        if (units[slot] == unit + 1 || ++seen == MOST_UNITS) {
          return false;
        }
      }
      slot = (slot + 1) & (keys.length - 1);
    }
    keys[slot] = key;
    units[slot] = unit + 1;
    size++;
    return true;
  }

  /** The units that contain a shingle. */
  int[] get(long key) {
    int[] found = NONE;
    for (int slot = slot(key); units[slot] != 0; slot = (slot + 1) & (keys.length - 1)) {
      if (keys[slot] == key) {
        found = Arrays.copyOf(found, found.length + 1);
        found[found.length - 1] = units[slot] - 1;
      }
    }
    return found;
  }

  private int slot(long key) {
    return (int) key & (keys.length - 1);
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldUnits = units;
    keys = new long[oldKeys.length * 2];
    units = new int[oldUnits.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldUnits[i] != 0) {
        int slot = slot(oldKeys[i]);
        while (units[slot] != 0) {
          slot = (slot + 1) & (keys.length - 1);
        }
        keys[slot] = oldKeys[i];
        units[slot] = oldUnits[i];
      }
    }
  }
}
