package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Stores the {@link CallReceipts} of all tasks, by partition. Thread-safe. */
public interface ReceiptLog {

  /** Writes a receipt at once. Counts a failure and does not throw. */
  void write(int partition, String requestHash, byte[] response);

  /**
   * Starts to read the receipts of a partition that were written since a time, up to the end that
   * the partition has now.
   */
  Snapshot snapshot(int partition, Instant since);

  /** A log that keeps nothing: a crash repeats the calls that were not committed. */
  static ReceiptLog none() {
    return new ReceiptLog() {
      @Override
      public void write(int partition, String requestHash, byte[] response) {}

      @Override
      public Snapshot snapshot(int partition, Instant since) {
        return Snapshot.EMPTY;
      }
    };
  }

  /** Receipts in memory. Thread-safe. */
  interface Snapshot extends AutoCloseable {

    /** No receipts. */
    Snapshot EMPTY = _ -> null;

    /** The newest receipt, or null. Waits for a bounded time until reading has ended. */
    byte @Nullable [] find(String requestHash);

    /** Stops reading and frees the memory; nothing is found afterwards. */
    @Override
    default void close() {}
  }
}
