package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Answers that were paid for but may not have been committed when a process died. They save money,
 * nothing else: one that is missing is paid for again.
 */
public interface CallReceipts {

  /**
   * The recorded answer to a request, or null. Answers are found only if they were recorded before
   * the task was opened, and only until the records that were pending then are done: that includes
   * records which were admitted before a crash, but not committed, and are now read once more. May
   * block for a bounded time while receipts are read.
   *
   * @param requestHash identifies the request and, where two records must not share an answer, the
   *     record
   * @throws java.util.concurrent.CancellationException if the task was closed
   */
  byte @Nullable [] find(String requestHash);

  /** Records an answer, at once and outside the transaction. Never fails and hardly ever blocks. */
  void record(String requestHash, byte[] response);
}
