package dev.abacus.topology.runtime;

import dev.abacus.topology.model.Receipts;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Stores the {@link Receipts} of all tasks, by partition. Thread-safe. By default it keeps nothing.
 */
public interface ReceiptLog {

  /** A log that keeps nothing: a crash repeats the calls that were not committed. */
  ReceiptLog NONE = new ReceiptLog() {};

  /** The position of {@link #snapshot} from which all receipts are read. */
  long BEGINNING = 0;

  /** Writes a receipt at once. Logs a failure and does not throw. */
  default void write(int partition, String requestHash, byte[] response) {}

  /**
   * Notes that {@link #handOver} follows for these calls. Quick, so that no call ends between the
   * choice of the calls and this note.
   */
  default void closing(int partition, Collection<String> requestHashes) {}

  /**
   * States that these calls, if there are any, go on although their task is closed, so that the
   * next owner of the partition waits for their receipts. Returns when the statement and the
   * receipts of the partition before it are written, so that the next owner reads them, or after a
   * bounded time.
   */
  default void handOver(int partition, Collection<String> requestHashes) {}

  /** States that a call that was handed over ended without a receipt. */
  default void giveUp(int partition, String requestHash) {}

  /** Notes that a call without a receipt starts. */
  default void callStarted() {}

  /** Notes that a call has ended, after its receipt was written. */
  default void callEnded() {}

  /** A position before all receipts that will be written to the partition from now on. */
  default long position(int partition) {
    return BEGINNING;
  }

  /**
   * Starts to read the receipts of a partition.
   *
   * @param from a former {@link #position}
   */
  default Snapshot snapshot(int partition, long from) {
    return Snapshot.EMPTY;
  }

  /** Receipts in memory. Thread-safe. */
  interface Snapshot extends AutoCloseable {

    /** No receipts. */
    Snapshot EMPTY = _ -> null;

    /**
     * The newest receipt, or null. Waits until the receipts are read, and until a call that was
     * handed over has ended.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    byte @Nullable [] find(String requestHash) throws InterruptedException;

    /** Stops reading and frees the memory; nothing is found afterwards. */
    @Override
    default void close() {}
  }
}
