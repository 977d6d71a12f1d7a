package dev.abacus.topology.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Does several things for one document at the same time, each in a virtual thread. */
public final class ParallelCalls {

  /** What is done with each. */
  @FunctionalInterface
  public interface Call<T, R> {
    /** Does it with one. */
    R on(T task) throws InterruptedException;
  }

  private ParallelCalls() {}

  /**
   * The results in the order of the tasks. Whatever happens, no call is left running: an interrupt
   * of the caller interrupts them all.
   *
   * @param most how many may run at once
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T, R> List<R> run(List<T> tasks, int most, Call<T, R> call)
      throws InterruptedException {
    Semaphore slots = new Semaphore(most);
    List<Callable<R>> calls = new ArrayList<>();
    for (T task : tasks) {
      calls.add(() -> {
        slots.acquire();
        try {
          return call.on(task);
        } finally {
          slots.release();
        }
      });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<R> results = new ArrayList<>();
      for (Future<R> done : threads.invokeAll(calls)) {
        results.add(result(done));
      }
      return results;
    }
  }

  private static <R> R result(Future<R> done) throws InterruptedException {
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
