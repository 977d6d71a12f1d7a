package dev.abacus.deploy.evaluation.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Runs trials with the seeds 0, 1, 2 and so on, one per processor at a time. */
public final class SeededTrials {

  private SeededTrials() {}

  /** A trial whose result depends on its seed alone. */
  @FunctionalInterface
  public interface Trial<T> {
    T run(long seed) throws InterruptedException;
  }

  /**
   * Runs trials.
   *
   * @param ended receives the number of results so far
   * @return in order of the seeds
   * @throws IllegalStateException if a trial fails, or if the thread is interrupted
   */
  public static <T> List<T> run(int seeds, Trial<T> trial, IntConsumer ended) {
    try (ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<T>> running = new ArrayList<>();
      for (long seed = 0; seed < seeds; seed++) {
        long own = seed;
        running.add(executor.submit(() -> trial.run(own)));
      }
      List<T> results = new ArrayList<>();
      try {
        for (Future<T> one : running) {
          results.add(one.get());
          ended.accept(results.size());
        }
      } catch (InterruptedException e) {
        executor.shutdownNow();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        executor.shutdownNow();
        throw new IllegalStateException("a search failed: " + e.getCause(), e);
      }
      return results;
    }
  }
}
