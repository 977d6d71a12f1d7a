package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where {@link CallReceipts} are kept, one log per partition. Thread-safe. */
public interface ReceiptLog {

  /** Writes a receipt, at once; a failure is counted, not thrown. */
  void write(int partition, String requestHash, byte[] response);

  /** Starts to read the receipts of a partition that were written since then. */
  Recall recall(int partition, Instant since);

  /** No receipts: after a crash, calls that were not committed are paid for again. */
  static ReceiptLog none() {
    return NoReceipts.INSTANCE;
  }

  /** CallReceipts being read, or read, into memory. Thread-safe. */
  interface Recall extends AutoCloseable {

    /** Nothing to recall. */
    Recall NOTHING = hash -> null;

    /** The newest receipt, or null. Waits for a bounded time if reading has not ended. */
    byte @Nullable [] find(String requestHash);

    /** Stops reading and frees the memory; nothing is found from now on. */
    @Override
    default void close() {}
  }
}
