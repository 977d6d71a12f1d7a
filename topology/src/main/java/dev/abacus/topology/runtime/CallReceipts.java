package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Answers of paid calls whose records may not have been committed before a crash. They save cost
 * only: a call without a receipt is made again.
 */
public interface CallReceipts {

  /** Keeps nothing. */
  CallReceipts NONE =
      new CallReceipts() {
        @Override
        public byte @Nullable [] find(String requestHash) {
          return null;
        }

        @Override
        public void record(String requestHash, byte[] response) {}
      };

  /**
   * The recorded answer to a request, or null. Finds answers that were recorded before the task was
   * opened, until all records that were pending then are forwarded. That covers records that were
   * admitted before a crash, not committed, and read again. May block for a bounded time while
   * receipts are read.
   *
   * @param requestHash identifies the request and, if two records must not share an answer, the
   *     record
   * @throws java.util.concurrent.CancellationException if the task is closed
   */
  byte @Nullable [] find(String requestHash);

  /**
   * Records an answer at once, outside the transaction. Does not throw, and blocks for at most a
   * second.
   */
  void record(String requestHash, byte[] response);
}
