package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Draws the events of a run: every action happens once before any happens again. */
final class ChaosSchedule {

  private ChaosSchedule() {}

  /** What can be done to the cluster. */
  enum Action {
    KILL_WORKER(500, 5_000),
    FREEZE_WORKER(2_000, 15_000),
    /** The next owner of its partitions leaves in order before it continues. */
    FREEZE_AND_HAND_OVER(9_000, 15_000),
    TERMINATE_WORKER(500, 3_000),
    SCALE_TO_THREE_AND_ONE(8_000, 20_000),
    ROLLING_RESTART(0, 0),
    KILL_OPTIMIZER(500, 5_000),
    KILL_BROKER(1_000, 6_000),
    PROVIDER_FAULTS(2_000, 8_000, Kind.PROVIDER_FAULTS),
    /**
     * The provider has no capacity at the tier flex, for longer than calls have patience, or not.
     */
    FLEX_REFUSED(10_000, 60_000, Kind.FLEX_REFUSED),
    /** All programs get another plan. */
    SWAP(0, 0),
    /** One program does. */
    SWAP_AGAIN(0, 0),
    PIN(0, 0),
    PROGRAM_VERSION(0, 0),
    /** Documents with a group each; one watermark closes them all. */
    MANY_GROUPS(0, 0, Kind.LOAD),
    /** A document whose group is too large for the record that carries it to its aggregate. */
    LARGE_GROUP(0, 0, Kind.LOAD),
    /** A few calls are refused, at whatever rate they are made. */
    SCATTERED_REFUSALS(10_000, 20_000, Kind.LOAD),
    /** Control records of programs that do not exist. */
    NAME_FLOOD(0, 0, Kind.LOAD),
    /** Programs without documents are applied, and removed. */
    IDLE_PROGRAMS(5_000, 20_000, Kind.LOAD);

    private final int shortestMillis;
    private final int longestMillis;
    private final @Nullable Kind incident;

    Action(int shortestMillis, int longestMillis) {
      this(shortestMillis, longestMillis, null);
    }

    Action(int shortestMillis, int longestMillis, @Nullable Kind incident) {
      this.shortestMillis = shortestMillis;
      this.longestMillis = longestMillis;
      this.incident = incident;
    }

    /** The incident that lasts as long as the event; null if what it does records incidents. */
    @Nullable Kind incident() {
      return incident;
    }
  }

  /**
   * One event.
   *
   * @param atMillis time since the start
   * @param target selects the process, program or fault, modulo their number
   * @param lengthMillis time until the state is restored
   */
  record Event(long atMillis, Action action, int target, long lengthMillis) {}

  /** Draws events in the order of their times; the same arguments give the same events. */
  static List<Event> draw(long seed, Duration duration, Duration pause, List<Action> actions) {
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    List<Action> bag = new ArrayList<>();
    long at = pause.toMillis() / 2;
    while (at < duration.toMillis() && !actions.isEmpty()) {
      if (bag.isEmpty()) {
        bag.addAll(actions);
        Collections.shuffle(bag, random);
      }
      Action action = bag.removeLast();
      long length =
          (long) action.shortestMillis
              + random.nextInt(action.longestMillis - action.shortestMillis + 1);
      events.add(new Event(at, action, random.nextInt(1 << 20), length));
      at += pause.toMillis() / 2 + random.nextInt((int) pause.toMillis());
    }
    return events;
  }
}
