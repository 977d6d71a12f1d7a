package dev.abacus.topology.runtime;

import org.jspecify.annotations.Nullable;

/** What running work may use. */
public interface WorkContext {

  /**
   * Whether the record was admitted before the task was opened, so that its work may have run
   * before, in part or to the end.
   */
  default boolean isRestored() {
    return false;
  }

  /** The last committed checkpoint from before a restart; null if there is none. */
  default byte @Nullable [] restoredCheckpoint() {
    return null;
  }

  /**
   * Stores a state to resume from. The stream thread commits it with the next transaction, so a
   * crash may lose the newest states. A state larger than {@link RuntimeSettings#recordLimit} is
   * not stored.
   *
   * @throws java.util.concurrent.CancellationException if the task is closed
   */
  void checkpoint(byte[] state);

  /**
   * Gives up the place of this work among the concurrent ones, while the work waits for something
   * that it cannot hasten. Other work may start meanwhile. Each call needs a {@link #resumed};
   * calls may be nested and come from any thread.
   */
  default void waiting() {}

  /**
   * Takes the place again, without blocking. Until enough other work ends, more work than the limit
   * may be running; none starts.
   */
  default void resumed() {}

  /** The answers of earlier calls, for the partition of this task. */
  CallReceipts receipts();
}
