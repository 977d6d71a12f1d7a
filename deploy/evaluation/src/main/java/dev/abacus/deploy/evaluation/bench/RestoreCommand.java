package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.Output;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus bench restore}. */
@Command(
    name = "restore",
    description = {
      "Measure how long a worker without state needs until it continues many pending documents: a first worker admits",
      "them and stops, a second one with an empty state directory restores them. Both run in this process, with a",
      "broker and a simulated model. Takes about half a minute."
    },
    footer = {
      "%nExample:",
      "  abacus bench restore --pending 100000 --document-bytes 1000 -o json"
    })
final class RestoreCommand implements Runnable {

  @Option(
      names = "--pending",
      defaultValue = "100000",
      paramLabel = "N",
      description = "Number of pending documents (default: ${DEFAULT-VALUE}).")
  private int pending = 100_000;

  @Option(
      names = "--document-bytes",
      defaultValue = "0",
      description = "Size of a document (default: a short sentence).")
  private int documentBytes;

  @Option(
      names = "--partitions",
      defaultValue = "4",
      description = "Partitions of the source topic (default: ${DEFAULT-VALUE}).")
  private int partitions = 4;

  @Mixin private Output output = new Output();

  @Spec private @Nullable CommandSpec command;

  @Override
  public void run() {
    RestoreBenchmark benchmark = benchmark();
    output.note("Model calls are simulated: they only wait.");
    try {
      RestoreBenchmark.Report report = benchmark.run();
      if (output.json()) {
        output.value(report);
      } else {
        print(report);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker did not answer: " + e.getMessage(), e);
    }
  }

  private RestoreBenchmark benchmark() {
    try {
      return new RestoreBenchmark(
          pending, documentBytes, partitions, step -> output.note("  " + step));
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private void print(RestoreBenchmark.Report report) {
    output.line(
        String.format(
            Locale.ROOT,
            "%d pending documents, %d restored records: restored in %.1f s (from %.1f s to %.1f s after the start), first result after %.1f s",
            report.pending(),
            report.records(),
            report.secondsToRestored() - report.secondsToRestore(),
            report.secondsToRestore(),
            report.secondsToRestored(),
            report.secondsToFirstResult()));
  }
}
