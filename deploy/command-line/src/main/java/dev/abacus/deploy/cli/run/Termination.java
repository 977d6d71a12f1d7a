package dev.abacus.deploy.cli.run;

import java.util.concurrent.CountDownLatch;

/** Waiting until the user stops a server (Ctrl-C, kill). */
final class Termination {

  private Termination() {}

  /** Closes a server when the JVM is told to end. */
  static void closeAtEnd(AutoCloseable server) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                  } catch (Exception e) {
                    // The JVM ends whatever happens here.
                  }
                },
                "abacus-close"));
  }

  /** Returns when this thread is interrupted; the JVM is ended by signals. */
  static void await() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
