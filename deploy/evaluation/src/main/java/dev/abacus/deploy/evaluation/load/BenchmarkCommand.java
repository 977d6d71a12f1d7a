package dev.abacus.deploy.evaluation.load;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.report.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A benchmark with simulated model calls: checks its options, measures, and prints the report as
 * text or JSON.
 *
 * @param <R> results
 */
public abstract class BenchmarkCommand<R> implements Runnable {

  /** Time to end what a benchmark has started, when it is stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Mixin private Output output = new Output();

  @Spec private @Nullable CommandSpec spec;

  /**
   * Checks the options before anything starts; by default all values are right.
   *
   * @throws IllegalArgumentException if an option is wrong; its message names the option
   */
  protected void check() {}

  /** Measures with the options of the command. */
  protected abstract R measure() throws IOException, InterruptedException;

  /** Prints the results as text; by default all figures of the JSON. */
  protected void print(R report) {
    Figures.lines(report).forEach(output::line);
  }

  /** Returns what the results show to be a bug of the product; null if nothing. */
  protected @Nullable String violation(R report) {
    return null;
  }

  /** Returns what the results should show and do not; null if nothing. */
  protected @Nullable String gap(R report) {
    return null;
  }

  @Override
  public final void run() {
    checkOptions();
    output.note("Model calls are simulated.");
    R report = measured();
    if (output.json()) {
      output.value(report);
    } else {
      print(report);
    }
    String violation = violation(report);
    if (violation != null) {
      throw CommandFailure.failed(violation, "This is a bug; please report it with these results.");
    }
    String gap = gap(report);
    if (gap != null) {
      throw CommandFailure.failed(gap, "Run it longer, or with another --seed.");
    }
  }

  private void checkOptions() {
    try {
      check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), e.getMessage(), e);
    }
  }

  private R measured() {
    CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    Thread measuring = Thread.currentThread();
    // What is stopped ends its processes, and removes its folders.
    Thread stop =
        Thread.ofPlatform()
            .unstarted(() -> {
              measuring.interrupt();
              closed.completeOnTimeout(null, PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
            });
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      return measure();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new IllegalStateException("broker or models failed: " + e.getMessage(), e);
    } finally {
      var _ = closed.complete(null);
      if (stop.getState() == Thread.State.NEW) {
        var _ = Runtime.getRuntime().removeShutdownHook(stop);
      }
    }
  }

  /** Prints a line of the results. */
  @SuppressWarnings("AnnotateFormatMethod") // would need a library of annotations
  protected final void line(String format, @Nullable Object... values) {
    output.line(String.format(Locale.ROOT, format, values));
  }

  /** A number in a table; a dash if there is none. */
  protected static String figure(@Nullable Double value, int digits) {
    return value == null || value.isNaN()
        ? "–"
        : String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Prints what the benchmark does next. */
  protected final void step(String what) {
    output.note("  " + what);
  }
}
