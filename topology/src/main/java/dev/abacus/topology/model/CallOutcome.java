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

  /** Tokens by kind, including failed attempts. */
  TokenCounts tokens();

  /** USD, including failed attempts. */
  double cost();

  /** Seconds, including failed attempts and the pauses between attempts. */
  double latency();

  /** Calls of the endpoint; 0 if no request was sent. */
  int attempts();

  /** This outcome with other tokens, cost (USD), latency (seconds) and attempts. */
  T with(TokenCounts tokens, double cost, double latency, int attempts);

  /**
   * This outcome with the tokens, cost (USD), latency (seconds) and attempts of earlier attempts
   * added.
   */
  default T after(
      TokenCounts earlierTokens, double earlierCost, double earlierLatency, int earlierAttempts) {
    return with(
        tokens().plus(earlierTokens),
        cost() + earlierCost,
        latency() + earlierLatency,
        attempts() + earlierAttempts);
  }

  /** This outcome with the tokens, cost, latency and attempts of an earlier one added. */
  default T after(CallOutcome<?> earlier) {
    return after(earlier.tokens(), earlier.cost(), earlier.latency(), earlier.attempts());
  }
}
