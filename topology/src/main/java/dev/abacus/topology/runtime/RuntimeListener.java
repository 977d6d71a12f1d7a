package dev.abacus.topology.runtime;

/**
 * Receives the events of the runtime, for status reports. Stream threads and virtual threads call
 * it, so it must be thread-safe and quick and must not throw.
 */
public interface RuntimeListener {

  /** Ignores all events. */
  RuntimeListener NONE = new RuntimeListener() {};

  /** Work on a record started. */
  default void started() {}

  /** Work on a record ended, with or without success. */
  default void finished() {}

  /** Gauge: records of the partition that are admitted and not forwarded; 0 after close. */
  default void pending(int partition, int records) {}
}
