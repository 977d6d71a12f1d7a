package dev.abacus.topology;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do; fails after {@link #PATIENCE}, so that no test hangs. */
public final class Await {

  /** Longest wait. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private Await() {}

  /** Returns when a condition holds. */
  public static void until(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new AssertionError("The condition did not hold within " + PATIENCE);
      }
      LockSupport.parkNanos(20_000);
    }
  }

  /** Returns when a thread is in a state; fails if it ends before. */
  public static void until(Thread thread, Thread.State state) {
    until(() -> {
      if (!thread.isAlive()) {
        throw new AssertionError("%s has ended and was not %s".formatted(thread, state));
      }
      return thread.getState() == state;
    });
  }
}
