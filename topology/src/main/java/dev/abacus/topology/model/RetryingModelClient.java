package dev.abacus.topology.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Tries again where that can help (rate limits, honouring Retry-After; 5xx; timeouts; lost
 * connections; unreadable responses), within the bounds of a {@link RetryPolicy}, and never where
 * it cannot (any other 4xx).
 */
public final class RetryingModelClient implements ModelClient {

  private final ModelClient next;
  private final Retries retries;

  /**
   * Retries around that client.
   *
   * @param random for the jitter; safe for use by many threads
   */
  public RetryingModelClient(
      ModelClient next, RetryPolicy policy, Sleeper pause, RandomGenerator random) {
    this.next = next;
    this.retries = new Retries(policy, pause, random);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    return retries.run(time -> next.call(request.withTimeout(shorter(request.timeout(), time))));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
