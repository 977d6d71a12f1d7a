package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;

/**
 * Observes the rate limits that endpoints state in their responses, answers and refusals alike.
 * Called by many threads at once; must return quickly and must not throw.
 */
@FunctionalInterface
public interface RateLimitListener {

  /** Ignores all limits. */
  RateLimitListener NONE = (_, _) -> {};

  /** Called for every response that states a limit. */
  void reported(ModelCard card, RateLimits limits);
}
