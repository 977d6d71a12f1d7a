package dev.abacus.topology.runtime;

/**
 * What is done with each record. One instance serves all tasks of the process, so it must be
 * thread-safe.
 *
 * <p>Only {@link #run} and {@link #failed} may block; the other methods are called on a stream
 * thread, must be quick and must not throw.
 */
public interface Work {

  /**
   * The epoch that the record keeps for life, through waiting, crash and restart: a plan's epoch.
   * Called once per record, on the stream thread, when it enters.
   */
  long epoch(InputRecord input);

  /**
   * Whether the record is a mark in the stream: it leaves when all records that entered before it
   * have left, whatever their keys. Records that enter after it may leave before it. Called once
   * per record, on the stream thread.
   */
  default boolean isBarrier(InputRecord input) {
    return false;
  }

  /**
   * Whether work on records with this epoch may start now. Asked again every few milliseconds for
   * every epoch that some record waits with, so an answer may change either way at any time: a plan
   * becomes known, a program is paused. Work that has started is not stopped.
   */
  boolean ready(long epoch);

  /**
   * Does the work. Called on a virtual thread of its own; may block. After a crash or a move of the
   * partition it is called again for the same record, with the last committed checkpoint.
   *
   * <p>Failures that it can name belong into the completion; whatever it throws goes to {@link
   * #failed}.
   *
   * @throws InterruptedException when interrupted, which is how a closed task stops it
   */
  Completion run(PendingRecord job, WorkContext context) throws InterruptedException;

  /**
   * The completion of a record whose {@link #run} threw, or whose outputs were too large to send: a
   * dead letter. Called on the same virtual thread. If this throws too, the record stays pending
   * until the task is opened again, and results of its key wait behind it.
   */
  Completion failed(PendingRecord job, Throwable cause);

  /**
   * The completion of a record that is too large to be kept, so that no work can be done on it.
   * Called on the stream thread. The outputs should be small enough for the topics they go to.
   *
   * @param reason one line for the user
   */
  Completion rejected(InputRecord input, String reason);
}
