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
 * Tells whether models can be relied on: counts attempts, and of these the failures that the
 * provider is to blame for. A model is open, like a circuit breaker, when most of its latest
 * attempts failed so; it is closed again by attempts that succeed, or when nobody has tried for a
 * while.
 */
public final class ModelHealthMeter implements ModelListener {

  /** Attempts that are looked back on. */
  private static final int LATEST = 20;

  /** With fewer attempts than this nothing is concluded. */
  private static final int LEAST = 5;

  private static final Duration MEMORY = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Map<String, Track> tracks = new ConcurrentHashMap<>();

  public ModelHealthMeter(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * How calls of a model went.
   *
   * @param calls attempts so far
   * @param failures those that the provider is to blame for
   * @param open whether the model is not to be relied on
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
    boolean outage = failure != null && failure.isOfProvider();
    if (failure == null || outage) {
      tracks.computeIfAbsent(model, _ -> new Track()).add(outage, clock.instant());
    }
  }

  /** The health of every model that was called, by name. */
  public SortedMap<String, Health> health() {
    Instant now = clock.instant();
    SortedMap<String, Health> health = new TreeMap<>();
    tracks.forEach((model, track) -> health.put(model, track.health(now)));
    return health;
  }

  private static final class Track {

    private record CallOutcome(Instant at, boolean outage) {}

    private final Deque<CallOutcome> latest = new ArrayDeque<>();
    private long calls;
    private long failures;

    synchronized void add(boolean outage, Instant at) {
      calls++;
      failures += outage ? 1 : 0;
      latest.addLast(new CallOutcome(at, outage));
      if (latest.size() > LATEST) {
        latest.removeFirst();
      }
    }

    synchronized Health health(Instant now) {
      while (!latest.isEmpty()
          && Duration.between(latest.getFirst().at(), now).compareTo(MEMORY) > 0) {
        latest.removeFirst();
      }
      long failed = latest.stream().filter(CallOutcome::outage).count();
      return new Health(calls, failures, latest.size() >= LEAST && 2 * failed >= latest.size());
    }
  }
}
