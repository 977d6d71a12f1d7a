package dev.abacus.optimizer.kafka;

import java.time.Duration;
import java.time.Instant;

/** Tells whether a pause is over. A clock that was set back does not prolong it. */
final class Elapsed {

  private Elapsed() {}

  static boolean isOver(Duration pause, Instant since, Instant now) {
    return Duration.between(since, now).abs().compareTo(pause) >= 0;
  }
}
