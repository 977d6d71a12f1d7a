package dev.abacus.topology.model;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the availability of each model: counts attempts and {@linkplain
 * ModelFailure#isProviderFault() provider faults}. A model is <em>open</em> while its latest
 * attempts are {@linkplain FaultWindow unreliable}. Failures that the request causes do not count.
 * A rate limit counts as a failure but does not open a model, because the model works.
 */
public final class ModelHealthMeter implements ModelListener {

  private final InstantSource clock;
  private final Map<String, Track> tracks = new ConcurrentHashMap<>();

  /** A meter without attempts. */
  public ModelHealthMeter(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The health of a model.
   *
   * @param calls attempts since the start that succeeded or were provider faults
   * @param failures provider faults since the start
   * @param open whether the model is currently unavailable
   */
  public record Health(long calls, long failures, boolean open) {}

  @Override
  public void ended(String model, CallOutcome<?> outcome) {
    ModelFailure failure = outcome.failure();
    boolean fault = failure != null && failure.isProviderFault();
    if (failure == null || fault) {
      tracks.computeIfAbsent(model, _ -> new Track()).add(failure, clock.instant());
    }
  }

  /** The health of every model that was called, by name. */
  public SortedMap<String, Health> health() {
    Instant now = clock.instant();
    SortedMap<String, Health> health = new TreeMap<>();
    tracks.forEach((model, track) -> health.put(model, track.health(now)));
    return health;
  }

  /** The attempts of one model. */
  private static final class Track {
    private final FaultWindow latest = new FaultWindow();
    private long calls;
    private long failures;

    synchronized void add(@Nullable ModelFailure fault, Instant at) {
      calls++;
      failures += fault == null ? 0 : 1;
      if (!(fault instanceof ModelFailure.RateLimited)) {
        latest.add(fault != null, at);
      }
    }

    synchronized Health health(Instant now) {
      return new Health(calls, failures, latest.isUnreliable(now));
    }
  }
}
