package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/** A value of the pending store. */
sealed interface PendingEntry permits PendingRecord, PendingEntry.Rejected {

  /** The key that the outputs are ordered by; null if they are not ordered. */
  byte @Nullable [] key();

  /** Bytes of the record that work is to be done on. */
  int size();

  /**
   * The completion of a record that was too large for the store. It waits until all earlier records
   * of its key are forwarded.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Rejected(byte @Nullable [] key, Completion completion) implements PendingEntry {
    @Override
    public int size() {
      return 0;
    }
  }
}
