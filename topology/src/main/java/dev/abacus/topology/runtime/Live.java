package dev.abacus.topology.runtime;

import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A pending record that is in memory. Only the stream thread touches its mutable part. The payload
 * is not held here but by the worker, so it can go as soon as the work is done.
 */
final class Live {
  private final long sequence;
  private final @Nullable Bytes lane;
  private final boolean mark;
  private final boolean restored;
  private boolean checkpointed;
  private @Nullable Completion completion;

  Live(long sequence, byte @Nullable [] key, boolean mark, boolean restored, boolean checkpointed) {
    this.sequence = sequence;
    this.lane = key == null || mark ? null : Bytes.wrap(key);
    this.mark = mark;
    this.restored = restored;
    this.checkpointed = checkpointed;
  }

  long sequence() {
    return sequence;
  }

  /** The record's key, or null if it has none, or is a mark. */
  @Nullable Bytes lane() {
    return lane;
  }

  /** Whether it waits for all that came before it, see {@link Work#isBarrier}. */
  boolean mark() {
    return mark;
  }

  boolean restored() {
    return restored;
  }

  boolean checkpointed() {
    return checkpointed;
  }

  void markCheckpointed() {
    checkpointed = true;
  }

  /** What to forward; null as long as the work is not done. */
  @Nullable Completion completion() {
    return completion;
  }

  void complete(Completion result) {
    completion = result;
  }
}
