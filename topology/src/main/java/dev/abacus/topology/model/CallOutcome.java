package dev.abacus.topology.model;

import org.jspecify.annotations.Nullable;

/**
 * What came of calling a model, once or several times.
 *
 * @param <T> the kind of outcome itself
 */
public sealed interface CallOutcome<T extends CallOutcome<T>> permits ModelAnswer, EmbeddingAnswer {

  /** Why it failed; null if it did not. */
  @Nullable ModelFailure failure();

  /** USD, failed attempts included. */
  double cost();

  /** Seconds, failed attempts and the pauses between them included. */
  double latency();

  /** How many times the endpoint was asked; 0 if the request never left. */
  int attempts();

  /** This outcome with what earlier attempts took added. */
  T after(double earlierCost, double earlierLatency, int earlierAttempts);
}
