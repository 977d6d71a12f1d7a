package dev.abacus.topology.model.admission;

import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The time, and tasks that run later. Tests replace it by virtual time. */
public interface AdmissionTimer extends InstantSource, AutoCloseable {

  /** Runs a task after a delay. Tasks are short. */
  void schedule(Duration delay, Runnable task);

  /** Drops the tasks that have not run. */
  @Override
  void close();

  /**
   * The system's time, with one daemon thread for all tasks. A task that fails runs again after a
   * pause, because calls wait for it.
   *
   * @param health hears of failed tasks
   */
  static AdmissionTimer system(ThreadHealth health) {
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
          var _ =
              executor.schedule(
                  () -> run(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        }
      }

      private void run(Runnable task) {
        try {
          task.run();
          health.succeeded();
        } catch (RuntimeException | Error e) {
          Duration pause = health.failed(e);
          if (pause != null) {
            schedule(pause, task);
          }
        }
      }

      @Override
      public void close() {
        executor.shutdownNow();
      }
    };
  }
}
