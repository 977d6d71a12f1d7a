package dev.abacus.topology.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The bounds of retries and the pauses between attempts.
 *
 * @param maxAttempts calls of the endpoint, including the first; at least 1
 * @param baseDelay upper bound of the first pause; the bound doubles with each further pause
 * @param maxDelay limit of that bound
 */
public record RetryPolicy(int maxAttempts, Duration baseDelay, Duration maxDelay) {

  /** 6 attempts, with pauses of up to half a second at first and half a minute at most. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(6, Duration.ofMillis(500), Duration.ofSeconds(30));

  public RetryPolicy {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1");
    }
    if (baseDelay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException("delays must not be negative");
    }
  }

  /** This policy with another number of attempts. */
  public RetryPolicy withMaxAttempts(int attempts) {
    return new RetryPolicy(attempts, baseDelay, maxDelay);
  }

  /**
   * The pause after a failed attempt: exponential backoff with full jitter. If the endpoint
   * requests a pause, at least that, plus a jitter of at most {@code baseDelay}.
   *
   * @param failedAttempts attempts so far; at least 1
   */
  public Duration pause(int failedAttempts, ModelFailure failure, RandomGenerator random) {
    double bound =
        Math.min(
            (double) maxDelay.toMillis(),
            (double) baseDelay.toMillis() * Math.pow(2, failedAttempts - 1.0));
    Duration requested = failure.retryAfter();
    if (requested == null) {
      return Duration.ofMillis(Math.round(random.nextDouble() * bound));
    }
    return requested.plusMillis(Math.round(random.nextDouble() * baseDelay.toMillis()));
  }
}
