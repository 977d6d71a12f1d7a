package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The function that an asynchronous processor applies to each record. One instance serves all tasks
 * of the process and must be thread-safe.
 *
 * <p>Only {@link #run} and {@link #failed} may block. The other methods run on a stream thread and
 * must not throw.
 */
public interface Work {

  /** The epoch of a record that gets its epoch when its work starts. */
  long UNSTAMPED = -1;

  /**
   * The epoch of a record: the version of the configuration that processes it, for example of a
   * plan; {@link #UNSTAMPED} if {@link #stamp} decides. Called once per record, at admission. The
   * record keeps its epoch through restarts. Work without a configuration has one epoch.
   */
  default long epoch(InputRecord input) {
    return 0;
  }

  /**
   * The epoch of an unstamped record whose work starts now. Runs on the virtual thread of {@link
   * #run}. The record keeps it: a checkpoint is stored with its epoch. After a crash, work without
   * a stored epoch starts anew and may get another one; that concerns work that started within
   * about the last second.
   */
  default long stamp(InputRecord input) {
    return epoch(input);
  }

  /**
   * Whether the record is a barrier: its outputs are forwarded only after those of all records that
   * were admitted before it, whatever their keys. Later records may overtake it.
   */
  default boolean isBarrier(InputRecord input) {
    return false;
  }

  /**
   * Whether work on records of this epoch, or on {@link #UNSTAMPED} ones, may start now. Called
   * every few milliseconds for each epoch that has waiting records. The answer may change at any
   * time. Running work continues.
   */
  default boolean ready(long epoch) {
    return true;
  }

  /**
   * Processes a record. Runs on a virtual thread and may block. After a crash, or when the
   * partition moves to another instance, the next owner calls it again with the last committed
   * checkpoint.
   *
   * <p>Return expected failures as a completion. An exception leads to {@link #failed}.
   *
   * @throws InterruptedException if the task was closed
   */
  Completion run(PendingRecord record, WorkContext context) throws InterruptedException;

  /** The topic that a child writes outputs to as they are; null if it is not known. */
  default @Nullable String topic(String child) {
    return null;
  }

  /**
   * The completion of a record whose {@link #run} threw an exception or whose outputs were too
   * large: a dead letter. Runs on the same virtual thread. If this method throws too, the record
   * stays pending until the task is opened again, and later results of its key wait.
   */
  Completion failed(PendingRecord record, Throwable cause);

  /**
   * The completion of a record that is too large to be stored and is therefore not processed. Runs
   * on the stream thread. Its outputs must be small enough for their topics.
   *
   * @param reason one line for the user
   */
  Completion rejected(InputRecord input, String reason);
}
