package dev.abacus.topology.model.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The time, and tasks that run later. Tests replace it by virtual time. */
public interface AdmissionTimer extends InstantSource, AutoCloseable {

  /** Runs a task after a delay. Tasks are short and do not throw. */
  void schedule(Duration delay, Runnable task);

  /** Drops the tasks that have not run. */
  @Override
  void close();

  /** The system's time, with one daemon thread for all tasks. */
  static AdmissionTimer system() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("abacus-admission").daemon().factory());
    return new AdmissionTimer() {
      @Override
      public Instant instant() {
        return Instant.now();
      }

      @Override
      public void schedule(Duration delay, Runnable task) {
        if (!executor.isShutdown()) {
          var _ = executor.schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        }
      }

      @Override
      public void close() {
        executor.shutdownNow();
      }
    };
  }
}
