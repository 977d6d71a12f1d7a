package dev.abacus.optimizer.governor;

import java.time.Duration;

/**
 * Settings of a governor.
 *
 * @param dwell least time between two moves, outages excepted; also how long the backlog must be
 *     small before the lag limit is lifted
 * @param coolOff how long a failing model is avoided at first; doubles with each new failure up to
 *     {@link #LONGEST_COOL_OFF}
 * @param leastDocuments number of documents after which a canary is promoted, and from which on
 *     measured cost and time replace estimates; at least 2
 * @param corrections number of corrected results that cause a new round of sampling; at least 1
 */
public record GovernorSettings(
    Duration dwell, Duration coolOff, int leastDocuments, int corrections) {

  /** The default settings. */
  public static final GovernorSettings DEFAULTS =
      new GovernorSettings(Duration.ofSeconds(30), Duration.ofSeconds(90), 50, 20);

  static final Duration LONGEST_COOL_OFF = Duration.ofMinutes(30);

  public GovernorSettings {
    if (dwell.isNegative() || !coolOff.isPositive() || leastDocuments < 2 || corrections < 1) {
      throw new IllegalArgumentException(
          "dwell %s, coolOff %s, leastDocuments %d, corrections %d"
              .formatted(dwell, coolOff, leastDocuments, corrections));
    }
  }
}
