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

  /** The answers of earlier calls, for the partition of this task. */
  CallReceipts receipts();
}
