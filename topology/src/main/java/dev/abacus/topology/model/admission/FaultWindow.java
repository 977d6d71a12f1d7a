package dev.abacus.topology.model.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The latest attempts of a model: the last 20 of the last minute. The model is <em>unreliable</em>
 * while they are at least 5 and at least half of them are faults of the provider. Not thread-safe.
 */
final class FaultWindow {

  private static final int LATEST = 20;
  private static final int LEAST = 5;
  private static final Duration MEMORY = Duration.ofMinutes(1);

  private record Attempt(Instant at, boolean fault) {}

  private final Deque<Attempt> latest = new ArrayDeque<>();

  /** Adds an attempt. */
  void add(boolean fault, Instant at) {
    latest.addLast(new Attempt(at, fault));
    if (latest.size() > LATEST) {
      latest.removeFirst();
    }
  }

  /** Forgets all attempts. */
  void clear() {
    latest.clear();
  }

  /** Whether at least half of the latest attempts are faults. */
  boolean isUnreliable(Instant now) {
    while (!latest.isEmpty()
        && Duration.between(latest.getFirst().at(), now).compareTo(MEMORY) > 0) {
      latest.removeFirst();
    }
    long faults = latest.stream().filter(Attempt::fault).count();
    return latest.size() >= LEAST && 2 * faults >= latest.size();
  }
}
