package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls models at the {@linkplain ServiceTier tier} of their name, and at the standard tier where
 * the provider has no capacity. A call is repeated within the patience of its card; if that was in
 * vain, all calls go to the standard tier for as long as the patience, and then one of them asks
 * the tier again. So no call waits longer than the patience, and a tier that is away is asked by
 * few.
 *
 * <p>What a call waited is part of its latency. Thread-safe.
 */
public final class TieredModelClient implements ModelClient {

  private final ModelClient next;
  private final ModelCatalogue catalogue;
  private final InstantSource clock;
  private final Retries retries;

  /** When a tier that had no capacity is asked again, by model at the tier. */
  private final Map<String, Instant> away = new ConcurrentHashMap<>();

  /**
   * A client in front of {@code next}.
   *
   * @param next calls a model at the tier of its name, or fails with {@link
   *     ModelFailure.TierUnavailable}
   * @param retries gives the pauses between attempts, and waits for them
   */
  public TieredModelClient(
      ModelClient next, ModelCatalogue catalogue, InstantSource clock, Retries retries) {
    this.next = next;
    this.catalogue = catalogue;
    this.clock = clock;
    this.retries = retries;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelCard card = catalogue.find(request.model());
    ModelCard.Served served = card == null ? null : card.served();
    return served == null ? next.call(request) : call(request, served.patience());
  }

  private ModelAnswer call(ModelRequest request, Duration patience) throws InterruptedException {
    ModelRequest standard = request.withModel(ServiceTier.standard(request.model()));
    if (!isAsked(request.model(), patience)) {
      return next.call(standard);
    }
    Instant until = clock.instant().plus(patience);
    int refused = 0;
    ModelAnswer total = next.call(request);
    while (total.failure() instanceof ModelFailure.TierUnavailable full) {
      Duration pause = retries.policy().pause(++refused, full, retries.random());
      if (clock.instant().plus(pause).isAfter(until)) {
        away.put(request.model(), clock.instant().plus(patience));
        return next.call(standard).after(total.stats());
      }
      sleep(pause);
      total = next.call(request).after(total.stats().plus(ExecutionStats.ofPause(pause)));
    }
    if (total.failure() == null) {
      away.remove(request.model());
    }
    return total;
  }

  private void sleep(Duration pause) throws InterruptedException {
    WaitListener work = WaitListener.current();
    work.waiting();
    try {
      retries.sleeper().sleep(pause);
    } finally {
      work.resumed();
    }
  }

  /** Whether a call asks the tier. While it is away, one call in each patience does. */
  private boolean isAsked(String model, Duration patience) {
    Instant until = away.get(model);
    if (until == null) {
      return true;
    }
    Instant now = clock.instant();
    return !now.isBefore(until) && away.replace(model, until, now.plus(patience));
  }
}
