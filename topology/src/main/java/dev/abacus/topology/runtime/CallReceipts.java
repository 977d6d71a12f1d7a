package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Answers of paid calls whose records may not have been committed before a crash. They save cost
 * only: a call without a receipt is made again. The request alone identifies an answer, so a record
 * finds it also if its admission was not committed, and after each further failure.
 *
 * <p>A call consists of {@link #find}, the call itself if nothing was found, and {@link #record} or
 * {@link #giveUp}.
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
   * The recorded answer to a request, or null; then the caller makes the call. Finds answers that
   * were recorded before the task was opened. Blocks while they are read, and while the former
   * owner of the partition still waits for the answer.
   *
   * @param requestHash identifies the request and, if two records must not share an answer, the
   *     record
   * @throws java.util.concurrent.CancellationException if the task is closed
   * @throws InterruptedException if the task is closed meanwhile
   */
  byte @Nullable [] find(String requestHash) throws InterruptedException;

  /**
   * Records an answer at once, outside the transaction, also after the task is closed. Does not
   * throw.
   */
  void record(String requestHash, byte[] response);

  /**
   * Precedes each attempt of a call. Waits until it is known that the task still belongs to this
   * process: its next owner may have the answer already.
   *
   * @throws InterruptedException if the task is closed; the attempt must not be made
   */
  default void attempt() throws InterruptedException {}

  /** States that the call ended without an answer. */
  default void giveUp(String requestHash) {}
}
