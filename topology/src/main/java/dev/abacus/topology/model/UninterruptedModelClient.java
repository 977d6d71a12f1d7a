package dev.abacus.topology.model;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * Lets a call that has been sent end although its thread is interrupted, because it is paid for. An
 * interrupted thread gets the answer and stays interrupted; so the answer is recorded, and nothing
 * further is called. The timeout of the request limits how long that takes.
 */
public record UninterruptedModelClient(ModelClient next) implements ModelClient {

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    return untilItEnds(() -> next.call(request));
  }

  /**
   * The result of an action, which runs in another thread.
   *
   * @throws InterruptedException if this thread is interrupted before the action starts
   */
  static <T> T untilItEnds(Callable<T> action) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the call");
    }
    FutureTask<T> call = new FutureTask<>(action);
    Thread thread = Thread.ofVirtual().name("abacus-call").start(call);
    boolean interrupted = false;
    while (!call.isDone()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return Futures.result(call);
  }
}
