package dev.abacus.topology.runtime;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of the pending records that the tasks of a process have in memory; the others
 * are in the stores alone. A task without a record in memory may load one in any case. Thread-safe.
 */
public final class PendingMemory {

  /** Part of the heap: the work on a record takes several times the memory of the record. */
  private static final int HEAP_SHARE = 16;

  private static final long LEAST_BYTES = 8L * 1024 * 1024;

  private final long bound;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param bound in bytes; exceeded by at most one record per task
   */
  PendingMemory(long bound) {
    this.bound = bound;
  }

  /** The bound of a process: a sixteenth of its largest heap. */
  static PendingMemory ofProcess() {
    return new PendingMemory(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  boolean hasRoom() {
    return used.get() < bound;
  }

  /** A task has more bytes in memory; negative for fewer. */
  void add(long bytes) {
    used.addAndGet(bytes);
  }
}
