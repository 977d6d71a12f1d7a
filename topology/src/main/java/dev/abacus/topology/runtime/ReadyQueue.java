package dev.abacus.topology.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one task that wait to be started, grouped by epoch: a epoch is open or closed for all its
 * jobs at once, so asking whether work can start costs nothing per job. Among open epochs the
 * oldest job goes first. Not thread-safe; {@link FairScheduler} guards it.
 */
final class ReadyQueue {

  private static final class Group {
    private final Deque<ReadyJob> jobs = new ArrayDeque<>();
    private boolean open;
  }

  private final Map<Long, Group> groups = new HashMap<>();

  void add(ReadyJob job) {
    group(job).jobs.addLast(job);
  }

  /** Puts back a job that could not be started. */
  void putBack(ReadyJob job) {
    group(job).jobs.addFirst(job);
  }

  private Group group(ReadyJob job) {
    return groups.computeIfAbsent(job.epoch(), epoch -> new Group());
  }

  /** The epochs of the jobs that wait here. */
  List<Long> epochs() {
    groups.values().removeIf(group -> group.jobs.isEmpty());
    return List.copyOf(groups.keySet());
  }

  void open(long epoch, boolean open) {
    Group group = groups.get(epoch);
    if (group != null) {
      group.open = open;
    }
  }

  boolean canStart() {
    return oldest() != null;
  }

  /** Takes the oldest job whose epoch is open. */
  @Nullable ReadyJob poll() {
    Group oldest = oldest();
    return oldest == null ? null : oldest.jobs.pollFirst();
  }

  private @Nullable Group oldest() {
    Group oldest = null;
    for (Group group : groups.values()) {
      if (group.open && !group.jobs.isEmpty()) {
        oldest = oldest == null || head(group) < head(oldest) ? group : oldest;
      }
    }
    return oldest;
  }

  private static long head(Group group) {
    return group.jobs.getFirst().sequence();
  }

  /** How many jobs wait for their epoch. */
  int waitingForEpoch() {
    int waiting = 0;
    for (Group group : groups.values()) {
      waiting += group.open ? 0 : group.jobs.size();
    }
    return waiting;
  }

  void clear() {
    groups.clear();
  }
}
