package dev.abacus.topology.runtime;

import java.time.Duration;
import java.util.SequencedCollection;
import java.util.function.LongSupplier;

/**
 * From where the next owner of a task must read receipts: the position of the first record that is
 * pending or not committed. The stored position follows it. Only the stream thread uses it.
 */
final class ReceiptPosition {

  /** Shortest time between two changes of the stored position. */
  private static final long STORE_NANOS = 1_000_000_000;

  /** Time after opening in which records arrive that were admitted before without a commit. */
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);

  /** Time without pending records after which the stored position follows the topic. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final PendingStore store;
  private final LongSupplier topic;
  private long stored;
  private long storedAt = System.nanoTime();

  /** Time since opening, without pauses. */
  private Duration active = Duration.ZERO;

  /** Time without pending records since the position was stored. */
  private Duration idle = Duration.ZERO;

  /**
   * The position of a task that is opened.
   *
   * @param topic position of the topic now; see {@link ReceiptLog#position}
   * @param stored as the store has it
   */
  ReceiptPosition(PendingStore store, LongSupplier topic, long stored) {
    this.store = store;
    this.topic = topic;
    this.stored = stored;
  }

  /** A position before all receipts of records that were admitted before the task was opened. */
  long stored() {
    return stored;
  }

  /**
   * All receipts of a record that is admitted now are behind this position. The first records after
   * opening may have been admitted before, without a commit.
   */
  long ofAdmission() {
    return active.compareTo(READ_AGAIN) < 0 ? stored : Math.max(stored, topic.getAsLong());
  }

  /** Stores the position in the transaction of other changes, at most once a second. */
  void advance(SequencedCollection<WorkItem> pending) {
    if (System.nanoTime() - storedAt > STORE_NANOS) {
      store(pending.isEmpty() ? ofAdmission() : pending.getFirst().receiptsFrom());
    }
  }

  private void store(long position) {
    if (position > stored) {
      store.putReceiptsFrom(position);
      stored = position;
      storedAt = System.nanoTime();
    }
  }

  /**
   * Time has passed. The position of a task without records is stored by time, or a restart would
   * read all receipts that other tasks have written meanwhile.
   */
  void passed(Duration time, boolean pending) {
    active = active.plus(time);
    idle = pending ? Duration.ZERO : idle.plus(time);
    if (idle.compareTo(IDLE) >= 0) {
      store(ofAdmission());
      idle = Duration.ZERO;
    }
  }
}
