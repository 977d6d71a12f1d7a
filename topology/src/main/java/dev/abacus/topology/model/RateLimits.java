package dev.abacus.topology.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an account for one model, as one response of its endpoint states them.
 *
 * @param requests the limit of requests; null if the response states none
 * @param tokens the limit of input plus output tokens; null if the response states none
 */
public record RateLimits(@Nullable Budget requests, @Nullable Budget tokens) {

  /**
   * One limit. At least one component is not null.
   *
   * @param limitPerMinute the whole budget of a minute; null if not stated, or if the endpoint
   *     states a longer period
   * @param remaining the rest of the budget; at least 0; null if not stated
   * @param reset time until the whole budget is available again, from the receipt of the response;
   *     not negative; null if not stated
   */
  public record Budget(
      @Nullable Long limitPerMinute, @Nullable Long remaining, @Nullable Duration reset) {}
}
