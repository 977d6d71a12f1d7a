package dev.abacus.deploy.cli.report;

import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.Terminal;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.schemas.control.ReferenceProgress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a job on standard error: a bar on a terminal, else a line every few
 * seconds. Shows nothing in the first two seconds.
 */
public final class Progress implements AutoCloseable {

  private static final Duration BEFORE_SHOWING = Duration.ofSeconds(2);
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(4);
  private static final int WIDTH = 110;

  private final Output output;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private long lastLine;
  private String lastText = "";

  /** What the search said of itself in the last line; a reason has the length of a paragraph. */
  private @Nullable String lastMessage;

  private @Nullable ProgressBar bar;

  public Progress(Output output) {
    this.output = output;
    this.terminal = Terminal.isInteractive();
  }

  /** Shows the current progress. */
  public void show(JobSnapshot snapshot) {
    long now = System.nanoTime();
    if (now - start < BEFORE_SHOWING.toNanos()) {
      return;
    }
    if (terminal) {
      showBar(snapshot);
    } else if (now - lastLine > BETWEEN_LINES.toNanos() || lastLine == 0) {
      String text = text(snapshot, lastMessage);
      if (!text.equals(lastText)) {
        output.note("  " + text);
        lastText = text;
        lastLine = now;
        lastMessage = snapshot.search() == null ? null : SearchProgress.message(snapshot.search());
      }
    }
  }

  private void showBar(JobSnapshot snapshot) {
    Optional<ReferenceProgress> reference = embedding(snapshot);
    String task = reference.map(one -> "items of " + one.reference()).orElse("documents");
    ProgressBar shown = bar;
    if (shown == null || !shown.getTaskName().equals(task)) {
      pause();
      shown =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err), WIDTH))
              .build();
      bar = shown;
    }
    shown.maxHint(
        Math.max(1, reference.map(ReferenceProgress::items).orElse((long) snapshot.sent())));
    shown.stepTo(reference.map(ReferenceProgress::ready).orElse((long) snapshot.done()));
    shown.setExtraMessage(" " + detail(snapshot, null));
  }

  /** The reference with the most items left to embed; samples wait for it. */
  private static Optional<ReferenceProgress> embedding(JobSnapshot snapshot) {
    return snapshot.references().stream()
        .filter(reference -> !reference.isComplete())
        .max(Comparator.comparingLong(reference -> reference.items() - reference.ready()));
  }

  private static String text(JobSnapshot snapshot, @Nullable String known) {
    String detail = detail(snapshot, known);
    return snapshot.sent() == 0
        ? detail
        : "%d of %d documents done; %s".formatted(snapshot.done(), snapshot.sent(), detail);
  }

  private static String detail(JobSnapshot snapshot, @Nullable String known) {
    Optional<ReferenceProgress> reference = embedding(snapshot);
    if (reference.isPresent()) {
      return reference.get().describe();
    }
    if (snapshot.activeEpoch() == null || snapshot.sent() == 0) {
      return snapshot.search() == null
          ? "waiting for the search"
          : "search: " + SearchProgress.of(snapshot.search(), known);
    }
    return "epoch %d, %d results, %d filtered, %d dead letters"
        .formatted(
            snapshot.activeEpoch(),
            snapshot.results(),
            snapshot.filtered(),
            snapshot.deadLetters());
  }

  /** Prints a line without disturbing the bar. */
  public void note(String line) {
    pause();
    output.note(line);
  }

  /** Removes the bar until the next {@link #show}. */
  public void pause() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  @Override
  public void close() {
    pause();
  }
}
