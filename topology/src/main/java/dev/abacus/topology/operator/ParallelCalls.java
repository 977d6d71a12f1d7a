package dev.abacus.topology.operator;

import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.WaitListener;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Runs several calls for one document at the same time, each in a virtual thread. */
public final class ParallelCalls {

  /** One call. */
  @FunctionalInterface
  public interface Call<T, R> {
    /** Runs the call with one of the inputs. */
    R on(T input) throws InterruptedException;
  }

  private ParallelCalls() {}

  /**
   * Runs the call with each input and waits for all. An interrupt of the caller interrupts all
   * calls.
   *
   * @param concurrency the maximum number of calls at the same time
   * @return the results in the order of the inputs
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T, R> List<R> run(List<T> inputs, int concurrency, Call<T, R> call)
      throws InterruptedException {
    Semaphore slots = new Semaphore(concurrency);
    WaitListener waits = WaitListener.current();
    CallPurpose purpose = CallPurpose.current();
    Context trace = Context.current();
    List<Callable<R>> calls = new ArrayList<>();
    for (T input : inputs) {
      calls.add(
          trace.wrap(() -> {
            slots.acquire();
            try {
              return ScopedValue.where(WaitListener.CURRENT, waits)
                  .where(CallPurpose.CURRENT, purpose)
                  .call(() -> call.on(input));
            } finally {
              slots.release();
            }
          }));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<R> results = new ArrayList<>();
      for (Future<R> done : threads.invokeAll(calls)) {
        results.add(result(done));
      }
      return results;
    }
  }

  /**
   * The result of a call, once it has ended.
   *
   * @throws InterruptedException if this thread or the call is interrupted; other exceptions of the
   *     call are thrown as they are
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
