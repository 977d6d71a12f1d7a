package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class RestoreCommand extends BenchmarkCommand<RestoreBenchmark, RestoreBenchmark.Report> {

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

  @Override
  protected RestoreBenchmark options() {
    return new RestoreBenchmark(pending, documentBytes, partitions, this::step);
  }

  @Override
  protected RestoreBenchmark.Report measure(RestoreBenchmark benchmark)
      throws InterruptedException, ExecutionException {
    return benchmark.run();
  }
}
