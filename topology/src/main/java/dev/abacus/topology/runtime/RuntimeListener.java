package dev.abacus.topology.runtime;

/**
 * Told what the runtime does, for metrics. Called from stream threads and virtual threads alike;
 * must be thread-safe, quick and must not throw.
 */
public interface RuntimeListener {

  /** Hears nothing. */
  RuntimeListener NONE = new RuntimeListener() {};

  /** A record entered the pending store. */
  default void admitted() {}

  /** A record was too large to enter it. */
  default void rejected() {}

  /** A task was opened over a store with that many records. */
  default void restored(int records) {}

  /** Work on a record started. */
  default void started() {}

  /** Work on a record ended, however it did, after so many nanoseconds. */
  default void finished(long nanos) {}

  /** {@link Work#failed} threw: the record is stuck until its task is opened again. */
  default void stuck() {}

  /** A record left with so many outputs. */
  default void forwarded(int outputs) {}

  /** A checkpoint was stored. */
  default void checkpointed() {}

  /** Gauge: records of the task's partition that are admitted and not forwarded; 0 when closed. */
  default void pending(int partition, int records) {}

  /** Gauge: those of them that could start but for their epoch; 0 when closed. */
  default void waitingForEpoch(int partition, int records) {}

  /** Gauge: work that is running in this process. */
  default void inFlight(int running) {}

  /** The stream thread was held up for so many nanoseconds because too many records are pending. */
  default void backpressure(long nanos) {}

  /** A receipt saved a call. */
  default void receiptFound() {}

  /** A receipt was written. */
  default void receiptWritten() {}

  /** A receipt could not be written, or receipts could not be read. */
  default void receiptFailed() {}
}
