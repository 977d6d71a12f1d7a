package dev.abacus.topology.model;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the availability of each model: counts attempts and {@linkplain
 * ModelFailure#isProviderFault() provider faults}. As in a circuit breaker, a model is
 * <em>open</em> while at least half of its latest attempts are provider faults. The latest attempts
 * are the last 20 of the last minute; with fewer than 5 of them a model is closed. Failures that
 * the request causes do not count.
 */
public final class ModelHealthMeter implements ModelListener {

  private static final int LATEST = 20;
  private static final int LEAST = 5;
  private static final Duration MEMORY = Duration.ofMinutes(1);

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
  public void answered(ModelRequest request, ModelAnswer answer) {
    add(request.model(), answer.failure());
  }

  @Override
  public void embedded(String embedder, int texts, EmbeddingAnswer answer) {
    add(embedder, answer.failure());
  }

  private void add(String model, @Nullable ModelFailure failure) {
    boolean fault = failure != null && failure.isProviderFault();
    if (failure == null || fault) {
      tracks.computeIfAbsent(model, _ -> new Track()).add(fault, clock.instant());
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

    private record Attempt(Instant at, boolean fault) {}

    private final Deque<Attempt> latest = new ArrayDeque<>();
    private long calls;
    private long failures;

    synchronized void add(boolean fault, Instant at) {
      calls++;
      failures += fault ? 1 : 0;
      latest.addLast(new Attempt(at, fault));
      if (latest.size() > LATEST) {
        latest.removeFirst();
      }
    }

    synchronized Health health(Instant now) {
      while (!latest.isEmpty()
          && Duration.between(latest.getFirst().at(), now).compareTo(MEMORY) > 0) {
        latest.removeFirst();
      }
      long failed = latest.stream().filter(Attempt::fault).count();
      return new Health(calls, failures, latest.size() >= LEAST && 2 * failed >= latest.size());
    }
  }
}
