package dev.abacus.topology.model;

import org.jspecify.annotations.Nullable;

/**
 * Answers of paid calls by {@linkplain RequestHash request hash}, from before a crash. They save
 * cost only: a call without a receipt is made again. The request alone identifies an answer, so a
 * document finds it also if its admission was not committed, and after each further failure.
 *
 * <p>A call consists of {@link #find}, the call itself if nothing was found, and {@link #record} or
 * {@link #giveUp}.
 */
public interface Receipts {

  /**
   * The recorded answer to a request, or null; then the caller makes the call. Finds answers that
   * were recorded before the task of the document was opened. Blocks while they are read, and while
   * the former owner of the document still waits for the answer.
   *
   * @param requestHash identifies the request and, if two documents must not share an answer, the
   *     document
   * @throws java.util.concurrent.CancellationException if the task is closed
   * @throws InterruptedException if the task is closed meanwhile
   */
  default byte @Nullable [] find(String requestHash) throws InterruptedException {
    return null;
  }

  /**
   * Records an answer at once, outside of transactions, also after the task is closed. Does not
   * throw: a lost receipt costs one repeated call.
   */
  default void record(String requestHash, byte[] answer) {}

  /** States that the call ended without an answer. */
  default void giveUp(String requestHash) {}
}
