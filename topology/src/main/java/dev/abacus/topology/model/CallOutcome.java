package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call of a model, with all its attempts.
 *
 * @param <T> the implementing type
 */
public sealed interface CallOutcome<T extends CallOutcome<T>> permits ModelAnswer, EmbeddingAnswer {

  /** One attempt of a call. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws InterruptedException;
  }

  /** The reason of a failure; null if the call succeeded. */
  default @Nullable ModelFailure failure() {
    return null;
  }

  /**
   * What the call took: failed attempts and the pauses between attempts included, and what was
   * charged for a failure.
   */
  ExecutionStats stats();

  /** Tokens by kind, including failed attempts. */
  default TokenCounts tokens() {
    return stats().tokens();
  }

  /** USD, including failed attempts. */
  default double cost() {
    return stats().cost();
  }

  /** Seconds, including failed attempts and the pauses between attempts. */
  default double latency() {
    return stats().latency();
  }

  /** Calls of the endpoint; 0 if no request was sent. */
  default int attempts() {
    return stats().calls();
  }

  /** This outcome with other statistics. */
  T with(ExecutionStats stats);

  /** This outcome with what earlier attempts or pauses took added. */
  default T after(ExecutionStats earlier) {
    return with(earlier.plus(stats()));
  }
}
