package dev.abacus.topology.runtime;

/**
 * Receives the events of the runtime, for metrics. Stream threads and virtual threads call it, so
 * it must be thread-safe and quick and must not throw.
 */
public interface RuntimeListener {

  /** Ignores all events. */
  RuntimeListener NONE = new RuntimeListener() {};

  /** A record was admitted to the pending store. */
  default void admitted() {}

  /** A task was opened with this number of pending records. */
  default void restored(int records) {}

  /** Work on a record started. */
  default void started() {}

  /** Work on a record ended, with or without success. */
  default void finished() {}

  /** {@link Work#failed} threw an exception: the record is stuck until its task is reopened. */
  default void stuck() {}

  /** The outputs of a record were forwarded. */
  default void forwarded(int outputs) {}

  /** A checkpoint was stored. */
  default void checkpointed() {}

  /** Gauge: records of the partition that are admitted and not forwarded; 0 after close. */
  default void pending(int partition, int records) {}

  /** Gauge: pending records whose epoch is not ready; 0 after close. */
  default void waitingForEpoch(int partition, int records) {}

  /** Too many pending records blocked the stream thread. */
  default void backpressure(long nanos) {}

  /** A receipt replaced a call. */
  default void receiptFound() {}

  /** A receipt was written. */
  default void receiptWritten() {}

  /** A receipt could not be written, or receipts could not be read. */
  default void receiptFailed() {}
}
