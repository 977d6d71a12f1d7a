package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every sample task of a program that was ever issued, with what came of it: the fold of its topics
 * of samples and observations. Both may be read in any order, and any record several times.
 *
 * <p>A task of which nothing comes back would hold the search up for ever. It is given up when
 * others of its wave came back, so the data plane is at work, and then nothing was heard for as
 * long as the ledger is patient. With the data plane down nothing is given up. A late answer is
 * welcome.
 */
public final class SampleLedger {

  private final Duration patience;
  private final Map<String, StampedTask> issued = new LinkedHashMap<>();
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

  /** Returns whether it was news. */
  boolean issue(SampleTask task, SampleStamp stamp) {
    if (issued.putIfAbsent(task.id(), new StampedTask(task, stamp)) != null) {
      return false;
    }
    roundStarts.merge(stamp.round(), stamp.sequence(), Math::min);
    nextSequence = Math.max(nextSequence, stamp.sequence() + 1);
    nextWave = Math.max(nextWave, stamp.wave() + 1);
    if (observations.containsKey(task.id())) {
      answeredWaves.add(stamp.wave());
    }
    return true;
  }

  /** Returns whether it was news. */
  boolean observe(Observation observation) {
    if (observations.putIfAbsent(observation.taskId(), observation) != null) {
      return false;
    }
    lastHeard = now;
    StampedTask task = issued.get(observation.taskId());
    if (task != null) {
      answeredWaves.add(task.stamp().wave());
    }
    return true;
  }

  /** Returns whether tasks may have to be given up. */
  boolean tick(Instant instant) {
    boolean before = impatient();
    now = instant.isAfter(now) ? instant : now;
    return impatient() && !before;
  }

  private boolean impatient() {
    return Duration.between(lastHeard, now).compareTo(patience) > 0;
  }

  Collection<StampedTask> issued() {
    return Collections.unmodifiableCollection(issued.values());
  }

  public boolean isIssued(String taskId) {
    return issued.containsKey(taskId);
  }

  /**
   * Whether what was measured has drifted since: a later round was asked for to measure this
   * implementation anew.
   *
   * @param current the token in force
   */
  boolean isOutdated(StampedTask task, String current) {
    String arm = "%s=%s".formatted(task.task().operator().id(), task.task().physical().id());
    for (var round : roundStarts.entrySet()) {
      if (round.getValue() > task.stamp().sequence() && asksFor(round.getKey(), arm)) {
        return true;
      }
    }
    return !task.stamp().round().equals(current) && asksFor(current, arm);
  }

  /** Tokens of the governor name what has drifted as a plan's signature does. */
  private static boolean asksFor(String token, String arm) {
    return token.startsWith("drift ")
        && Arrays.asList(token.substring(token.lastIndexOf(": ") + 2).split(" -> ", -1))
            .contains(arm);
  }

  /** Whether samples of that round were issued. */
  boolean isBegun(String round) {
    return roundStarts.containsKey(round);
  }

  @Nullable Observation observation(String taskId) {
    return observations.get(taskId);
  }

  Sample sample(StampedTask task) {
    Observation observation = observations.get(task.task().id());
    if (observation != null) {
      return new Sample.Observed(observation);
    }
    long wave = task.stamp().wave();
    // A later wave is issued only when nothing of the earlier ones is waited for any more.
    boolean lost = wave < nextWave - 1 || (impatient() && answeredWaves.contains(wave));
    return lost ? new Sample.Lost() : new Sample.Outstanding();
  }

  public long nextSequence() {
    return nextSequence;
  }

  public long nextWave() {
    return nextWave;
  }
}
