package dev.abacus.optimizer.governor;

import java.time.Duration;
import java.time.Instant;

/** Tells whether a pause is over. A clock that was set back does not prolong it. */
public final class Elapsed {

  private Elapsed() {}

  public static boolean isOver(Duration pause, Instant since, Instant now) {
    return Duration.between(since, now).abs().compareTo(pause) >= 0;
  }
}
