package dev.abacus.topology.model.admission;

import java.time.Instant;
import java.util.Arrays;

/** Counts events of the last 60 seconds, with a resolution of one second. Not thread-safe. */
final class MinuteCounter {

  private static final int SECONDS = 60;

  private final long[] counts = new long[SECONDS];
  private long second = Long.MIN_VALUE;
  private long total;
  private long first = Long.MIN_VALUE;

  void add(long amount, Instant now) {
    forget(now);
    if (first == Long.MIN_VALUE) {
      first = now.getEpochSecond();
    }
    counts[slot(second)] += amount;
    total += amount;
  }

  long count(Instant now) {
    forget(now);
    return total;
  }

  /** Seconds since the first event, from 1 to 60. */
  long seconds(Instant now) {
    return first == Long.MIN_VALUE
        ? SECONDS
        : Math.clamp(now.getEpochSecond() - first + 1, 1, SECONDS);
  }

  /** Events per minute: those of the last minute, or since the first one, at least half of one. */
  double perMinute(Instant now) {
    return (double) SECONDS * count(now) / Math.max(SECONDS / 2, seconds(now));
  }

  private void forget(Instant now) {
    long current = now.getEpochSecond();
    if (second == Long.MIN_VALUE || current - second >= SECONDS) {
      Arrays.fill(counts, 0);
      total = 0;
      second = current;
    }
    while (second < current) {
      second++;
      total -= counts[slot(second)];
      counts[slot(second)] = 0;
    }
  }

  private static int slot(long second) {
    return (int) Math.floorMod(second, (long) SECONDS);
  }
}
