package dev.abacus.deploy.cli.run;

import java.util.concurrent.CountDownLatch;

/** Waits until the user stops a server (Ctrl-C, kill). */
final class Termination {

  private Termination() {}

  /** Closes a server when the JVM shuts down. */
  static void closeAtEnd(AutoCloseable server) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                  } catch (Exception e) {
                    // The JVM ends anyway.
                  }
                },
                "abacus-close"));
  }

  /** Blocks until this thread is interrupted; a signal ends the JVM. */
  static void await() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
