package dev.abacus.topology.runtime;

import dev.abacus.schemas.program.Settings.Ordering;
import java.time.Duration;

/**
 * Settings of one asynchronous processor.
 *
 * @param ordering whether results of one key keep the order of their records, or overtake
 * @param pendingBound records per task above which the processor holds the stream thread up, and
 *     above which further records stay in the store only, not in memory; at least 1. To use the
 *     whole concurrency budget a task needs about twice that many
 * @param slice how long one record is held up at most; at most 100 ms, because it counts against
 *     the transaction timeout
 * @param punctuation how often finished work is looked for; at least 1 ms
 * @param recordLimit bytes of key, value and headers above which a record is rejected, and of a
 *     checkpoint above which it is not kept; outputs may be larger by {@link #HEADROOM}
 */
public record RuntimeSettings(
    Ordering ordering, int pendingBound, Duration slice, Duration punctuation, int recordLimit) {

  /** Bytes that outputs may have beyond a record of the largest size. */
  public static final int HEADROOM = 256 * 1024;

  private static final Duration LONGEST_SLICE = Duration.ofMillis(100);

  public RuntimeSettings {
    if (pendingBound < 1) {
      throw new IllegalArgumentException("pending bound below 1: " + pendingBound);
    }
    if (slice.isNegative() || slice.compareTo(LONGEST_SLICE) > 0) {
      throw new IllegalArgumentException("slice not within 0 and 100 ms: " + slice);
    }
    if (punctuation.toMillis() < 1) {
      throw new IllegalArgumentException("punctuation below 1 ms: " + punctuation);
    }
    if (recordLimit < 1 || recordLimit > Integer.MAX_VALUE - 3 * HEADROOM) {
      throw new IllegalArgumentException("record limit out of range: " + recordLimit);
    }
  }

  /**
   * Results in order per key, 1,000 pending records per task, slices of 100 ms, punctuation every 5
   * ms, records up to 1 MiB (which is what a broker accepts unless told otherwise).
   */
  public static RuntimeSettings defaults() {
    return new RuntimeSettings(
        Ordering.KEY, 1000, LONGEST_SLICE, Duration.ofMillis(5), 1024 * 1024);
  }

  /**
   * Bytes that topics must accept in a message ({@code max.message.bytes}), and clients send, for
   * outputs and store entries of records up to the given limit.
   */
  public static int largestMessage(int recordLimit) {
    return recordLimit + 2 * HEADROOM;
  }

  public RuntimeSettings withOrdering(Ordering other) {
    return new RuntimeSettings(other, pendingBound, slice, punctuation, recordLimit);
  }

  public RuntimeSettings withPendingBound(int records) {
    return new RuntimeSettings(ordering, records, slice, punctuation, recordLimit);
  }

  public RuntimeSettings withSlice(Duration other) {
    return new RuntimeSettings(ordering, pendingBound, other, punctuation, recordLimit);
  }

  public RuntimeSettings withRecordLimit(int bytes) {
    return new RuntimeSettings(ordering, pendingBound, slice, punctuation, bytes);
  }
}
