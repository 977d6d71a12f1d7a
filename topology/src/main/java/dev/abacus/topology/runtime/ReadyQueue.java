package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.FairScheduler.Job;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of one task, by epoch and key. All jobs of an epoch become ready together, so
 * the check costs nothing per job. Of the keys with ready jobs, the one with the fewest running
 * jobs is first; of equals, the one with the oldest job. So many jobs of one key do not delay
 * others. Not thread-safe; {@link FairScheduler} guards it.
 */
final class ReadyQueue {

  /** The jobs of one key in one epoch, in their order. A job without a key has its own lane. */
  static final class Lane {
    private final Epoch epoch;
    private final @Nullable Bytes key;
    private final Deque<Job> waiting = new ArrayDeque<>(1);
    private int active;

    private Lane(Epoch epoch, @Nullable Bytes key) {
      this.epoch = epoch;
      this.key = key;
    }

    private long head() {
      return waiting.getFirst().sequence();
    }
  }

  private static final Comparator<Lane> FEWEST_RUNNING =
      Comparator.<Lane>comparingInt(lane -> lane.active).thenComparingLong(Lane::head);

  private static final class Epoch {
    private final Map<Bytes, Lane> lanes = new HashMap<>();
    private final TreeSet<Lane> startable = new TreeSet<>(FEWEST_RUNNING);
    private int waiting;
    private int active;
    private boolean ready;

    private Lane lane(@Nullable Bytes key) {
      return key == null
          ? new Lane(this, null)
          : lanes.computeIfAbsent(key, own -> new Lane(this, own));
    }

    /** Takes a lane out of the order, so that it can change; {@link #add} puts it back. */
    private void remove(Lane lane) {
      if (!lane.waiting.isEmpty()) {
        startable.remove(lane);
      }
    }

    private void add(Lane lane) {
      if (!lane.waiting.isEmpty()) {
        startable.add(lane);
      }
      if (lane.key != null && lane.waiting.isEmpty() && lane.active == 0) {
        lanes.remove(lane.key, lane);
      }
    }
  }

  /** A job that starts, and the lane that counts it. */
  record Next(Job job, Lane lane) {}

  private final Map<Long, Epoch> epochs = new HashMap<>();

  void add(Job job) {
    Epoch epoch = epochs.computeIfAbsent(job.epoch(), _ -> new Epoch());
    Lane lane = epoch.lane(job.key());
    epoch.remove(lane);
    lane.waiting.addLast(job);
    epoch.waiting++;
    epoch.add(lane);
  }

  /** Puts back a job that could not be started. */
  void putBack(Next next) {
    Epoch epoch = next.lane().epoch;
    epoch.remove(next.lane());
    next.lane().waiting.addFirst(next.job());
    epoch.waiting++;
    epoch.add(next.lane());
  }

  /** Asks for each epoch whether its jobs may start. */
  void update(LongPredicate ready) {
    epochs.values().removeIf(epoch -> epoch.waiting == 0 && epoch.active == 0);
    epochs.forEach((number, epoch) -> epoch.ready = ready.test(number));
  }

  boolean canStart() {
    for (Epoch epoch : epochs.values()) {
      if (epoch.ready && epoch.waiting > 0) {
        return true;
      }
    }
    return false;
  }

  /** Removes the first job of the ready epochs; null if there is none. */
  @Nullable Next poll() {
    Lane lane = null;
    for (Epoch epoch : epochs.values()) {
      if (epoch.ready && epoch.waiting > 0) {
        Lane first = epoch.startable.first();
        lane = lane == null || FEWEST_RUNNING.compare(first, lane) < 0 ? first : lane;
      }
    }
    if (lane == null) {
      return null;
    }
    Epoch epoch = lane.epoch;
    epoch.remove(lane);
    Job job = lane.waiting.removeFirst();
    epoch.waiting--;
    lane.active++;
    epoch.active++;
    epoch.add(lane);
    return new Next(job, lane);
  }

  /** Changes the number of running jobs of a lane. */
  static void count(Lane lane, int running) {
    lane.epoch.remove(lane);
    lane.active += running;
    lane.epoch.active += running;
    if (lane.key != null) {
      lane.epoch.lanes.putIfAbsent(lane.key, lane);
    }
    lane.epoch.add(lane);
  }

  /** Number of jobs whose epoch is not ready. */
  int waitingForEpoch() {
    int waiting = 0;
    for (Epoch epoch : epochs.values()) {
      waiting += epoch.ready ? 0 : epoch.waiting;
    }
    return waiting;
  }

  void clear() {
    epochs.clear();
  }
}
