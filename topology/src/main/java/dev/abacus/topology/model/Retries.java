package dev.abacus.topology.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Repeats calls whose failure may be an accident of one answer, as often as the failure {@linkplain
 * ModelFailure#repetitions() says}. Cost, latency and attempts of the outcome include all attempts.
 * Faults of the provider are not repeated here.
 *
 * @param policy bounds the attempts and gives the pauses between them
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

  /** Retries in real time. */
  public static Retries of(RetryPolicy policy, RandomGenerator random) {
    return new Retries(policy, Thread::sleep, random);
  }

  /** The client with retries. */
  public ModelClient around(ModelClient next) {
    return request -> run(() -> next.call(request));
  }

  /** The embedder with retries. */
  public Embedder around(Embedder next) {
    return Embedder.of(next.name(), texts -> run(() -> next.embed(texts)));
  }

  private <T extends CallOutcome<T>> T run(CallOutcome.Attempt<T> attempt)
      throws InterruptedException {
    T total = null;
    for (int rounds = 1; ; rounds++) {
      T last = attempt.run();
      total = total == null ? last : last.after(total.stats());
      ModelFailure failure = last.failure();
      if (failure == null || rounds > failure.repetitions() || rounds >= policy.maxAttempts()) {
        return total;
      }
      Duration pause = policy.pause(rounds, failure, random);
      sleeper.sleep(pause);
      total = total.after(ExecutionStats.ofPause(pause));
    }
  }
}
