package dev.abacus.topology.operator;

import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.WaitListener;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs several calls for one document at the same time. */
public final class ParallelCalls {

  /** One call. */
  @FunctionalInterface
  public interface Call<T, R> {
    /** Runs the call with one of the inputs. */
    R on(T input) throws InterruptedException;
  }

  private ParallelCalls() {}

  /**
   * Runs the call with each input and waits for all: with one in this thread, with several in
   * virtual threads. No further call starts once one has thrown. An interrupt of the caller
   * interrupts all calls.
   *
   * @param concurrency the maximum number of calls at the same time
   * @return the results in the order of the inputs
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T, R> List<R> run(List<T> inputs, int concurrency, Call<T, R> call)
      throws InterruptedException {
    if (inputs.size() == 1) {
      return List.of(call.on(inputs.getFirst()));
    }
    List<FutureTask<R>> calls =
        inputs.stream().map(input -> new FutureTask<>(() -> call.on(input))).toList();
    AtomicInteger next = new AtomicInteger();
    Callable<Boolean> worker =
        inContext(() -> {
          int at;
          while ((at = next.getAndIncrement()) < calls.size()) {
            calls.get(at).run();
            if (calls.get(at).state() != Future.State.SUCCESS) {
              next.set(calls.size());
            }
          }
          return true;
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.invokeAll(Collections.nCopies(Math.min(concurrency, calls.size()), worker));
    }
    List<R> results = new ArrayList<>();
    for (Future<R> done : calls) {
      results.add(Futures.result(done));
    }
    return results;
  }

  /** Work that another thread does for the document of this one: in its trace, for its purpose. */
  public static <R> Callable<R> inContext(Callable<R> work) {
    WaitListener waits = WaitListener.current();
    CallPurpose purpose = CallPurpose.current();
    return Context.current()
        .wrap(() ->
            ScopedValue.where(WaitListener.CURRENT, waits)
                .where(CallPurpose.CURRENT, purpose)
                .call(work::call));
  }
}
