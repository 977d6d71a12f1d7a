package dev.abacus.topology.runtime;

import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.model.WaitListener;
import org.jspecify.annotations.Nullable;

/**
 * What running work may use: its checkpoints, the receipts of its calls for the partition of its
 * task, and its place among the concurrent work. The runtime makes it the {@link
 * WaitListener#CURRENT} one of the thread of the work.
 *
 * <p>While the work waits for something that it cannot hasten, it gives up its place: other work
 * may start. It takes the place again without blocking. Until enough other work ends, more work
 * than the limit may be running; none starts.
 */
public interface WorkContext extends Receipts, WaitListener {

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
}
