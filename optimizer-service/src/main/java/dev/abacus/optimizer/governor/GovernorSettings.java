package dev.abacus.optimizer.governor;

import java.time.Duration;

/**
 * How quick the governor is.
 *
 * @param dwell least time between two moves, outages aside; and how long a surge must be over
 *     before it is taken to be
 * @param coolOff how long a model whose calls fail is avoided at first; twice as long each time it
 *     fails again, up to {@link #LONGEST_COOL_OFF}
 * @param block documents that live cost and latency are judged by, of a canary as of a drift
 */
public record GovernorSettings(Duration dwell, Duration coolOff, int block) {

  /** What a program gets where nothing else is said. */
  public static final GovernorSettings DEFAULTS =
      new GovernorSettings(Duration.ofSeconds(30), Duration.ofSeconds(90), 50);

  static final Duration LONGEST_COOL_OFF = Duration.ofMinutes(30);

  /** A report older than this tells nothing of the present. */
  static final Duration STALE = Duration.ofMinutes(1);

  public GovernorSettings {
    if (dwell.isNegative() || !coolOff.isPositive() || block < 2) {
      throw new IllegalArgumentException(
          "dwell %s, coolOff %s, block %d".formatted(dwell, coolOff, block));
    }
  }
}
