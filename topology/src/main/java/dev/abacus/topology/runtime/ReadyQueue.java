package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.FairScheduler.Job;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of one task, by epoch. All jobs of an epoch become ready together, so the check
 * costs nothing per job. The oldest job of all ready epochs is first. Not thread-safe; {@link
 * FairScheduler} guards it.
 */
final class ReadyQueue {

  private static final class Epoch {
    private final Deque<Job> jobs = new ArrayDeque<>();
    private boolean ready;
  }

  private final Map<Long, Epoch> epochs = new HashMap<>();

  void add(Job job) {
    epoch(job).jobs.addLast(job);
  }

  /** Puts back a job that could not be started. */
  void putBack(Job job) {
    epoch(job).jobs.addFirst(job);
  }

  private Epoch epoch(Job job) {
    return epochs.computeIfAbsent(job.epoch(), _ -> new Epoch());
  }

  /** Asks for each epoch whether its jobs may start. */
  void update(LongPredicate ready) {
    epochs.values().removeIf(epoch -> epoch.jobs.isEmpty());
    epochs.forEach((number, epoch) -> epoch.ready = ready.test(number));
  }

  boolean canStart() {
    return oldest() != null;
  }

  /** Removes the oldest job of the ready epochs; null if there is none. */
  @Nullable Job poll() {
    Epoch oldest = oldest();
    return oldest == null ? null : oldest.jobs.pollFirst();
  }

  private @Nullable Epoch oldest() {
    Epoch oldest = null;
    for (Epoch epoch : epochs.values()) {
      if (epoch.ready && !epoch.jobs.isEmpty()) {
        oldest = oldest == null || head(epoch) < head(oldest) ? epoch : oldest;
      }
    }
    return oldest;
  }

  private static long head(Epoch epoch) {
    return epoch.jobs.getFirst().sequence();
  }

  /** Number of jobs whose epoch is not ready. */
  int waitingForEpoch() {
    int waiting = 0;
    for (Epoch epoch : epochs.values()) {
      waiting += epoch.ready ? 0 : epoch.jobs.size();
    }
    return waiting;
  }

  void clear() {
    epochs.clear();
  }
}
