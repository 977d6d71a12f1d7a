package dev.abacus.topology.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When to try again, and for how long.
 *
 * @param maxAttempts calls of the endpoint altogether, the first included
 * @param totalTime longest that all attempts and pauses together may take
 * @param baseDelay bound of the first pause; each further one has twice the bound of the one before
 * @param maxDelay where the bounds stop growing
 */
public record RetryPolicy(
    int maxAttempts, Duration totalTime, Duration baseDelay, Duration maxDelay) {

  /** Rides out a minute of rate limiting or of a restarting endpoint. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(8, Duration.ofMinutes(3), Duration.ofMillis(500), Duration.ofSeconds(30));

  public RetryPolicy {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1");
    }
    if (!totalTime.isPositive() || baseDelay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException("totalTime must be positive, delays not negative");
    }
  }

  /**
   * How long to wait after a failed attempt: exponential backoff with full jitter, which spreads a
   * crowd of callers best; after a wait that the endpoint asks for, never less.
   */
  Duration pause(int failedAttempts, ModelFailure failure, RandomGenerator random) {
    double bound =
        Math.min(
            (double) maxDelay.toMillis(),
            (double) baseDelay.toMillis() * Math.pow(2, failedAttempts - 1.0));
    Duration asked = failure.retryAfter();
    if (asked == null) {
      return Duration.ofMillis(Math.round(random.nextDouble() * bound));
    }
    return asked.plusMillis(Math.round(random.nextDouble() * baseDelay.toMillis()));
  }
}
