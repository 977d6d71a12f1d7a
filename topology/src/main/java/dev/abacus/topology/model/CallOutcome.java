package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call of a model, with all its attempts.
 *
 * @param <T> the implementing type
 */
public sealed interface CallOutcome<T extends CallOutcome<T>> permits ModelAnswer, EmbeddingAnswer {

  /** The reason of a failure; null if the call succeeded. */
  @Nullable ModelFailure failure();

  /** Tokens by kind, including failed attempts. */
  TokenCounts tokens();

  /** USD, including failed attempts. */
  double cost();

  /** Seconds, including failed attempts and the pauses between attempts. */
  double latency();

  /** Calls of the endpoint; 0 if no request was sent. */
  int attempts();

  /**
   * This outcome with the tokens, cost (USD), latency (seconds) and attempts of earlier attempts
   * added.
   */
  T after(
      TokenCounts earlierTokens, double earlierCost, double earlierLatency, int earlierAttempts);

  /** This outcome with the cost (USD), latency (seconds) and attempts of earlier work added. */
  default T after(double earlierCost, double earlierLatency, int earlierAttempts) {
    return after(TokenCounts.NONE, earlierCost, earlierLatency, earlierAttempts);
  }
}
