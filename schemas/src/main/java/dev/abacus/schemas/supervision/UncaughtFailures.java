package dev.abacus.schemas.supervision;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports threads that end because of a failure that nothing handles, such as those of libraries. A
 * thread of this kind is not started again, so the process stays degraded until it restarts.
 */
public final class UncaughtFailures implements Thread.UncaughtExceptionHandler, AutoCloseable {

  /** Name in status records of all threads that have no supervision of their own. */
  public static final String THREADS = "other threads";

  private static final Logger LOG = LoggerFactory.getLogger(UncaughtFailures.class);

  private final ThreadHealth health;
  private final Thread.@Nullable UncaughtExceptionHandler previous;

  private UncaughtFailures(ThreadHealth health, Thread.@Nullable UncaughtExceptionHandler before) {
    this.health = health;
    this.previous = before;
  }

  /**
   * Reports the uncaught failures of all threads of the JVM to a supervisor, and then to the
   * handler that was in place before.
   */
  public static UncaughtFailures reportTo(Supervisor supervisor) {
    UncaughtFailures handler =
        new UncaughtFailures(
            supervisor.watch(THREADS), Thread.getDefaultUncaughtExceptionHandler());
    Thread.setDefaultUncaughtExceptionHandler(handler);
    return handler;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    LOG.error("Thread '{}' ended because of a failure that nothing handles", thread.getName());
    var _ = health.failed(failure);
    if (previous != null) {
      previous.uncaughtException(thread, failure);
    }
  }

  /** Restores the handler that was in place before. */
  @Override
  public void close() {
    if (Thread.getDefaultUncaughtExceptionHandler() == this) {
      Thread.setDefaultUncaughtExceptionHandler(previous);
    }
  }
}
