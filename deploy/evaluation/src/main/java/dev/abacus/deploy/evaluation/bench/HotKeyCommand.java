package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench hot-key}. */
@Command(
    name = "hot-key",
    description = {
      "Measure by how much a hot key delays other documents: half of all documents have one key and arrive at a",
      "fixed rate. Prints the time from a document's turn to its committed result: of the hot key, of the others in",
      "its partition, and of those in other partitions. Takes about half a minute."
    },
    footer = {"%nExample:", "  abacus bench hot-key --load 0.9 --stragglers -o json"})
final class HotKeyCommand
    extends BenchmarkCommand<HotKeyBenchmark.Options, HotKeyBenchmark.Report> {

  @Option(
      names = "--in-flight",
      defaultValue = "100",
      description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 100;

  @Option(
      names = "--documents",
      defaultValue = "10000",
      description = "Number of documents (default: ${DEFAULT-VALUE}).")
  private int documents = 10_000;

  @Option(
      names = "--load",
      defaultValue = "0.8",
      paramLabel = "SHARE",
      description =
          "Documents per second ÷ those that the calls allow (default: ${DEFAULT-VALUE}).")
  private double load = 0.8;

  @Option(names = "--stragglers", description = "1 %% of the calls take 15 times the latency.")
  private boolean stragglers;

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  @Override
  protected HotKeyBenchmark.Options options() {
    return new HotKeyBenchmark.Options(
        new ThroughputOptions.Load(
            documents, 0, ThroughputOptions.Keys.HOT, calls.latency(), stragglers),
        inFlight,
        calls.partitions(),
        load);
  }

  @Override
  protected HotKeyBenchmark.Report measure(HotKeyBenchmark.Options options) {
    try (BenchProgress progress = new BenchProgress(options.documents(), output())) {
      return new HotKeyBenchmark(options, progress::results).run();
    }
  }
}
