package dev.abacus.schemas.program;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cap on what live documents cost, in dollars, in tokens, or in both.
 *
 * @param usd maximum USD in each window; null for no cap in dollars
 * @param tokens maximum number of input and output tokens of chat models in each window; null for
 *     no cap in tokens
 * @param per length of the window
 */
public record Spending(@Nullable Double usd, @Nullable Long tokens, Duration per) {

  public Spending {
    if (usd == null && tokens == null) {
      throw new IllegalArgumentException("a spending cap needs 'usd', 'tokens' or both");
    }
    if (usd != null && (!Double.isFinite(usd) || usd <= 0)) {
      throw new IllegalArgumentException("spending of " + usd + " USD; it must be above 0");
    }
    if (tokens != null && tokens <= 0) {
      throw new IllegalArgumentException("spending of " + tokens + " tokens; it must be above 0");
    }
    if (!per.isPositive()) {
      throw new IllegalArgumentException("the window of the spending cap must be above 0");
    }
  }

  /** The window for users, to be read behind "per": {@code day}, {@code hour}, {@code 10 s}. */
  public String window() {
    if (per.equals(Duration.ofDays(1))) {
      return "day";
    }
    if (per.equals(Duration.ofHours(1))) {
      return "hour";
    }
    if (per.equals(Duration.ofMinutes(1))) {
      return "minute";
    }
    return per.toSeconds() % 3600 == 0
        ? per.toHours() + " h"
        : per.toSeconds() % 60 == 0 ? per.toMinutes() + " min" : per.toSeconds() + " s";
  }
}
