package dev.abacus.deploy.command;

import java.util.concurrent.CountDownLatch;

/** Waiting until the user stops a server. */
final class Termination {

  private Termination() {}

  /**
   * Waits until the latch is open or the JVM is told to end (Ctrl-C, kill); in that case what
   * follows in the caller, such as closing what it started, runs before the JVM ends.
   */
  static void await(CountDownLatch latch) {
    Thread caller = Thread.currentThread();
    Thread hook =
        new Thread(
            () -> {
              latch.countDown();
              try {
                // The JVM halts when hooks return: let the caller close first.
                caller.join(CLOSING_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "abacus-termination");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final long CLOSING_MILLIS = 20_000;
}
