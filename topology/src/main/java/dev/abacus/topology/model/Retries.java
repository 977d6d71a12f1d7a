package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Repeats calls whose failure is {@linkplain ModelFailure#retryable() retryable}. This is the only
 * place that retries. Cost, latency and attempts of the outcome include all attempts.
 *
 * @param policy bounds of attempts and time
 * @param sleeper waits between attempts
 * @param random source of the jitter; thread-safe, as {@link java.util.Random} is
 */
public record Retries(RetryPolicy policy, Sleeper sleeper, RandomGenerator random) {

  /** Waits. Tests replace it to run without waiting. */
  @FunctionalInterface
  public interface Sleeper {

    /** Blocks the thread for this duration. */
    void sleep(Duration duration) throws InterruptedException;
  }

  public Retries {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(sleeper, "sleeper");
    Objects.requireNonNull(random, "random");
  }

  /** Retries in real time. */
  public static Retries of(RetryPolicy policy, RandomGenerator random) {
    return new Retries(policy, Thread::sleep, random);
  }

  /** The client with retries. An attempt's timeout never exceeds the time that remains. */
  public ModelClient around(ModelClient next) {
    return request ->
        run(remaining -> next.call(request.withTimeout(min(request.timeout(), remaining))));
  }

  /** The embedder with retries. */
  public Embedder around(Embedder next) {
    return new RetryingEmbedder(next, this);
  }

  private record RetryingEmbedder(Embedder next, Retries retries) implements Embedder {

    @Override
    public String name() {
      return next.name();
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
      return retries.run(_ -> next.embed(texts));
    }
  }

  /** One attempt, which may take at most the time that remains. */
  @FunctionalInterface
  private interface Attempt<T> {
    T within(Duration remaining) throws InterruptedException;
  }

  private <T extends CallOutcome<T>> T run(Attempt<T> attempt) throws InterruptedException {
    TokenCounts tokens = TokenCounts.NONE;
    double cost = 0;
    double latency = 0;
    int attempts = 0;
    int rounds = 0;
    while (true) {
      T last = attempt.within(remaining(latency));
      T total = last.after(tokens, cost, latency, attempts);
      rounds++;
      ModelFailure failure = last.failure();
      if (failure == null || !failure.retryable() || rounds >= policy.maxAttempts()) {
        return total;
      }
      Duration pause = policy.pause(rounds, failure, random);
      if (pause.compareTo(remaining(total.latency())) >= 0) {
        return total; // The next attempt would start after the total time.
      }
      sleeper.sleep(pause);
      tokens = total.tokens();
      cost = total.cost();
      latency = total.latency() + pause.toNanos() / 1e9;
      attempts = total.attempts();
    }
  }

  private Duration remaining(double elapsedSeconds) {
    long nanos = policy.totalTime().toNanos() - Math.round(elapsedSeconds * 1e9);
    return Duration.ofNanos(Math.max(1, nanos));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
