package dev.abacus.topology.model.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that a test advances. Tasks run on the thread that advances it, in the order of their time.
 */
public final class VirtualTime implements AdmissionTimer {

  private record Task(Instant at, long order, Runnable task) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparing(Task::at).thenComparingLong(Task::order));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long order;

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized void schedule(Duration delay, Runnable task) {
    tasks.add(new Task(now.plus(delay), order++, task));
  }

  /** Runs the tasks of this span of time. */
  public void advance(Duration span) {
    Instant end = instant().plus(span);
    for (Task next = poll(end); next != null; next = poll(end)) {
      next.task().run();
    }
    synchronized (this) {
      now = end;
    }
  }

  /** Time passes and nothing runs; what was due runs afterwards. */
  public synchronized void stall(Duration span) {
    now = now.plus(span);
  }

  private synchronized @Nullable Task poll(Instant end) {
    if (tasks.isEmpty() || tasks.element().at().isAfter(end)) {
      return null;
    }
    Task next = tasks.remove();
    now = next.at().isAfter(now) ? next.at() : now;
    return next;
  }

  @Override
  public synchronized void close() {
    tasks.clear();
  }
}
