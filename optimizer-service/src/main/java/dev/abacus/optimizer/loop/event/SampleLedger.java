package dev.abacus.optimizer.loop.event;

import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All sample tasks issued for a program and their observations: the fold of its topics of samples
 * and observations. The topics may be read in any order and records may be repeated.
 *
 * <p>A task that is {@linkplain #isUnavailable unavailable} is no sample: another task replaces it.
 *
 * <p>A task is given up as lost when another task of its wave was observed, so that the data plane
 * is running, and no observation arrived for the configured patience. While the data plane is down,
 * no task is given up. A late observation still counts.
 */
public final class SampleLedger {

  private final Duration patience;
  private final Map<String, DrawnSample> issued = new LinkedHashMap<>();
  private final Map<String, Observation> observations = new HashMap<>();
  private final Map<String, Long> roundStarts = new HashMap<>();
  private final Set<Long> answeredWaves = new HashSet<>();
  private Instant now = Instant.EPOCH;
  private Instant lastHeard = Instant.EPOCH;
  private long nextSequence;
  private long nextWave;

  public SampleLedger(Duration patience) {
    this.patience = patience;
  }

  /** Records an issued task; returns whether it is new. */
  public boolean issue(DrawnSample sample) {
    String id = sample.task().id();
    SampleStamp stamp = sample.stamp();
    if (issued.putIfAbsent(id, sample) != null) {
      return false;
    }
    roundStarts.merge(stamp.round(), stamp.sequence(), Math::min);
    nextSequence = Math.max(nextSequence, stamp.sequence() + 1);
    nextWave = Math.max(nextWave, stamp.wave() + 1);
    if (isObserved(id)) {
      answeredWaves.add(stamp.wave());
    }
    return true;
  }

  /**
   * Records an observation; returns whether it is new. A failure of a provider has the time at
   * which it is heard of, once there is one: the clocks of workers differ from this one.
   */
  public boolean observe(Observation observation) {
    Observation heard = now.equals(Instant.EPOCH) ? observation : failedAt(observation, now);
    if (observations.putIfAbsent(observation.taskId(), heard) != null) {
      return false;
    }
    lastHeard = now;
    DrawnSample task = issued.get(observation.taskId());
    if (task != null) {
      answeredWaves.add(task.stamp().wave());
    }
    return true;
  }

  /** Advances the time; returns whether the patience has just run out. */
  public boolean tick(Instant instant) {
    if (now.equals(Instant.EPOCH)) {
      lastHeard = instant; // Who reads the topics again does not know when their records came.
    }
    boolean before = impatient();
    if (now.equals(Instant.EPOCH) || instant.isBefore(now)) {
      // Nothing was heard later than now, also if the clock was set back.
      observations.replaceAll((_, seen) ->
          seen.unavailable() != null && seen.unavailable().at().isAfter(instant)
              ? failedAt(seen, instant)
              : seen);
      lastHeard = lastHeard.isAfter(instant) ? instant : lastHeard;
    }
    now = instant;
    return impatient() && !before;
  }

  private static Observation failedAt(Observation observation, Instant at) {
    Unavailable failed = observation.unavailable();
    return failed == null
        ? observation
        : observation.toBuilder()
            .unavailable(new Unavailable(failed.model(), failed.state(), at))
            .build();
  }

  private boolean impatient() {
    return Duration.between(lastHeard, now).compareTo(patience) > 0;
  }

  /** All issued tasks, each with what has become of it by now, in order of arrival. */
  public Stream<DrawnSample> samples() {
    return issued.values().stream()
        .map(one -> new DrawnSample(one.task(), one.stamp(), sample(one)));
  }

  public boolean isIssued(String taskId) {
    return issued.containsKey(taskId);
  }

  public boolean isObserved(String taskId) {
    return observations.containsKey(taskId);
  }

  /**
   * Whether a later round asks to measure the task's implementation again, because it has drifted.
   *
   * @param current the {@code reoptimize} token in force
   */
  public boolean isOutdated(DrawnSample task, String current) {
    String arm = "%s=%s".formatted(task.task().operator().id(), task.task().physical().id());
    for (var round : roundStarts.entrySet()) {
      if (round.getValue() > task.stamp().sequence() && RoundReason.isOf(round.getKey(), arm)) {
        return true;
      }
    }
    return !task.stamp().round().equals(current) && RoundReason.isOf(current, arm);
  }

  /** Whether a sample of the round was issued. */
  public boolean isBegun(String round) {
    return roundStarts.containsKey(round);
  }

  private Sample sample(DrawnSample task) {
    Observation observation = observations.get(task.task().id());
    if (observation != null) {
      return new Sample.Observed(observation);
    }
    long wave = task.stamp().wave();
    // A wave is issued only when no earlier task is outstanding.
    boolean lost = wave < nextWave - 1 || (impatient() && answeredWaves.contains(wave));
    return lost ? new Sample.Lost() : new Sample.Outstanding();
  }

  /** Whether a provider is the reason that the task has no result. */
  public boolean isUnavailable(String taskId) {
    Observation observation = observations.get(taskId);
    return observation != null && observation.outcome() == Observation.Outcome.UNAVAILABLE;
  }

  /** The time of the last tick. */
  public Instant now() {
    return now;
  }

  public long nextSequence() {
    return nextSequence;
  }

  public long nextWave() {
    return nextWave;
  }
}
