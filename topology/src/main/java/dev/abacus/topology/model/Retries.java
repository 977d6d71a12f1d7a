package dev.abacus.topology.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The one place that tries again. What the endpoint takes as a mistake of ours is never repeated;
 * what earlier attempts cost and took is kept.
 *
 * @param random must be safe for use by many threads, as {@link java.util.Random} is
 */
record Retries(RetryPolicy policy, Sleeper pause, RandomGenerator random) {

  /** One attempt, which may take this long at most. */
  @FunctionalInterface
  interface Call<T> {
    T within(Duration time) throws InterruptedException;
  }

  <T extends CallOutcome<T>> T run(Call<T> call) throws InterruptedException {
    double cost = 0;
    double latency = 0;
    int attempts = 0;
    int rounds = 0;
    while (true) {
      T answer = call.within(remaining(latency));
      T whole = answer.after(cost, latency, attempts);
      rounds++;
      ModelFailure failure = answer.failure();
      if (failure == null || !failure.retryable() || rounds >= policy.maxAttempts()) {
        return whole;
      }
      Duration wait = policy.pause(rounds, failure, random);
      if (wait.compareTo(remaining(whole.latency())) >= 0) {
        return whole; // Another attempt would begin after the time is up.
      }
      pause.of(wait);
      cost = whole.cost();
      latency = whole.latency() + wait.toNanos() / 1e9;
      attempts = whole.attempts();
    }
  }

  private Duration remaining(double elapsed) {
    long nanos = policy.totalTime().toNanos() - Math.round(elapsed * 1e9);
    return Duration.ofNanos(Math.max(1, nanos));
  }
}
