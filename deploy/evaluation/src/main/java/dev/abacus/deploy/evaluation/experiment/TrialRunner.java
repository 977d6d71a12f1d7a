package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.deploy.cli.option.Output;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Many trials, side by side; each depends on its seed alone. */
final class TrialRunner {

  private static final Duration BETWEEN_NOTES = Duration.ofSeconds(3);

  private TrialRunner() {}

  /**
   * Runs trials with the seeds 0, 1, 2 and so on.
   *
   * @param policies makes the policy of a seed
   * @return in order of the seeds
   */
  static List<TrialResult> run(
      ExperimentSettings settings,
      LongFunction<SamplingPolicy> policies,
      int seeds,
      Output output) {
    try (ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<TrialResult>> running = new ArrayList<>();
      for (long seed = 0; seed < seeds; seed++) {
        long own = seed;
        running.add(executor.submit(() -> new Trial(settings, policies.apply(own), own).run()));
      }
      return collect(running, output);
    }
  }

  private static List<TrialResult> collect(List<Future<TrialResult>> running, Output output) {
    List<TrialResult> results = new ArrayList<>();
    long lastNote = System.nanoTime();
    try {
      for (Future<TrialResult> trial : running) {
        results.add(trial.get());
        if (System.nanoTime() - lastNote > BETWEEN_NOTES.toNanos()) {
          lastNote = System.nanoTime();
          output.note("  %d of %d searches".formatted(results.size(), running.size()));
        }
      }
    } catch (InterruptedException e) {
      running.forEach(trial -> trial.cancel(true));
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      running.forEach(trial -> trial.cancel(true));
      throw new IllegalStateException("a search failed: " + e.getCause(), e);
    }
    double slowest =
        results.stream().mapToDouble(TrialResult::slowestDecisionMillis).max().orElse(0);
    output.note(
        String.format(
            Locale.ROOT, "  the slowest decision on what to sample took %.0f ms", slowest));
    return results;
  }
}
