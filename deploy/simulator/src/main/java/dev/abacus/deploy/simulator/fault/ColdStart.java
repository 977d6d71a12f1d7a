package dev.abacus.deploy.simulator.fault;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Models that the endpoint loads at their first call. */
public final class ColdStart {

  private final Settings settings;
  private final Clock clock;
  private final Map<String, Instant> ready = new ConcurrentHashMap<>();

  public ColdStart(Settings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * How models start.
   *
   * @param duration time to load a model; zero if all models are loaded
   * @param refuses whether calls are refused with status 503 meanwhile, instead of waiting
   */
  public record Settings(Duration duration, boolean refuses) {
    /** All models are loaded. */
    public static final Settings NONE = new Settings(Duration.ZERO, false);
  }

  /** Whether calls are refused while their model loads. */
  public boolean refuses() {
    return settings.refuses();
  }

  /** How long the model still loads; zero if it is loaded. */
  public Duration remaining(String model) {
    if (settings.duration().isZero()) {
      return Duration.ZERO;
    }
    Instant now = clock.instant();
    Instant end = ready.computeIfAbsent(model, _ -> now.plus(settings.duration()));
    return now.isBefore(end) ? Duration.between(now, end) : Duration.ZERO;
  }
}
