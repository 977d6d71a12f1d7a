package dev.abacus.topology.model;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for what another thread does. */
public final class Futures {

  private Futures() {}

  /**
   * The result of work, once it has ended.
   *
   * @throws InterruptedException if this thread, before the end, or the work is interrupted; other
   *     exceptions of the work are thrown as they are
   */
  public static <R> R result(Future<R> done) throws InterruptedException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case InterruptedException interrupted -> throw interrupted;
        case RuntimeException bug -> throw bug;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
