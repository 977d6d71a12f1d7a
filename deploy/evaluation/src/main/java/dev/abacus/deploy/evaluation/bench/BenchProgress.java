package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.Output;
import java.io.Console;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a benchmark: a bar on a terminal, otherwise a line every 5 seconds. */
final class BenchProgress implements ThroughputBenchmark.Progress, AutoCloseable {

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

  private final long documents;
  private final Output output;
  private final @Nullable ProgressBar bar;
  private long lastLine = System.nanoTime();

  BenchProgress(long documents, Output output) {
    this.documents = documents;
    this.output = output;
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    this.bar =
        terminal
            ? new ProgressBarBuilder()
                .setTaskName("documents")
                .setInitialMax(documents)
                .setUpdateIntervalMillis(500)
                .build()
            : null;
  }

  @Override
  public void begins(Contender contender) {
    output.note("  " + contender);
  }

  @Override
  public void results(long results) {
    if (bar != null) {
      bar.stepTo(results);
    } else if (System.nanoTime() - lastLine > BETWEEN_LINES.toNanos()) {
      lastLine = System.nanoTime();
      output.note("  %d of %d documents".formatted(results, documents));
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
