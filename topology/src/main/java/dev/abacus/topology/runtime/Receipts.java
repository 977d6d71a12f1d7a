package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Answers that were paid for but may not have been committed when a process died. They save money,
 * nothing else: one that is missing is paid for again.
 */
public interface Receipts {

  /**
   * The recorded answer to a request, or null. Always null for a job that was not {@linkplain
   * Job#restored restored}. May block for a bounded time while receipts are read.
   *
   * @param requestHash identifies the request and, where two records must not share an answer, the
   *     record
   * @throws java.util.concurrent.CancellationException if the task was closed
   */
  byte @Nullable [] find(String requestHash);

  /** Records an answer, at once and outside the transaction. Never fails and hardly ever blocks. */
  void record(String requestHash, byte[] response);
}
