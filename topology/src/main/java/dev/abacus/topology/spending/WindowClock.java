package dev.abacus.topology.spending;

import dev.abacus.schemas.program.Spending;
import java.time.Duration;

/**
 * The present spending window by the worker's monotonic clock, whose times are in nanoseconds. Not
 * thread-safe.
 */
final class WindowClock {

  private static final long NANOS_OF_MILLI = 1_000_000;

  /** Longer windows count as this long, so that nanoseconds do not overflow. */
  private static final Duration LONGEST_WINDOW = Duration.ofDays(36_500);

  private long seenAt;
  private long endsAt;

  /** The length of a window in milliseconds. */
  static long length(Spending limit) {
    return Math.clamp(limit.per().toSeconds(), 0, LONGEST_WINDOW.toSeconds()) * 1000
        + limit.per().toMillisPart();
  }

  /**
   * Takes in how much of the window was left when a record was written.
   *
   * @param leftMillis by the broker's clock
   * @param writtenAt when the record was written, as far as the worker knows
   * @param changed whether the window or its end is another one; else the earlier end counts
   */
  void update(long leftMillis, long writtenAt, boolean changed) {
    long end = writtenAt + leftMillis * NANOS_OF_MILLI;
    endsAt = changed ? end : Math.min(endsAt, end);
  }

  /** Another window begins. */
  void opens(long now) {
    seenAt = now;
  }

  /** Whether the window is over by the clocks of broker and worker. */
  boolean isOver(long now) {
    return now - endsAt >= 0;
  }

  /** Whether so much time has passed since the worker heard of the window. */
  boolean isElapsed(long millis, long now) {
    return now - seenAt >= millis * NANOS_OF_MILLI;
  }
}
