package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench throughput}. */
@Command(
    name = "throughput",
    description = {
      "Compare documents per second with those of Confluent's parallel consumer and of the model client without",
      "Kafka. Uses a broker in the same process and simulated model calls with a fixed latency. Takes about two minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  abacus bench throughput",
      "  abacus bench throughput --latency 2s --stragglers --keys hot",
      "  abacus bench throughput --only abacus --workers 4 --latency 2s",
      "  abacus bench throughput --latency 0ms --http --only abacus,client -o json"
    })
final class ThroughputCommand extends BenchmarkCommand<ThroughputReport> {

  @Option(names = "--in-flight", description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--workers",
      description = {
        "Workers of the product in this process, each with --in-flight; with --only abacus",
        "(default: ${DEFAULT-VALUE})."
      })
  private int workers = 1;

  @Option(
      names = "--document-bytes",
      description = "Size of a document (default: a short sentence).")
  private int documentBytes;

  @Option(names = "--documents", description = "Number of documents (default: ${DEFAULT-VALUE}).")
  private int documents = 20_000;

  @Option(
      names = "--keys",
      defaultValue = "unique",
      description =
          "Keys of the documents: unique, hundred, hot (half have one key), one (default: ${DEFAULT-VALUE}).")
  private ThroughputOptions.Keys keys = ThroughputOptions.Keys.UNIQUE;

  @Option(names = "--stragglers", description = "1 % of the calls take 15 times the latency.")
  private boolean stragglers;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "CONTENDER",
      description = "What to measure (default: all): ${COMPLETION-CANDIDATES}.")
  private List<Contender> only = List.of(Contender.values());

  @Option(
      names = "--http",
      description = "Call the simulated endpoint over HTTP; otherwise a call only waits.")
  private boolean http;

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  @Override
  protected Benchmark<ThroughputReport> benchmark() {
    ThroughputOptions options =
        new ThroughputOptions(
            only,
            new ThroughputOptions.Load(documents, documentBytes, keys, calls.latency(), stragglers),
            inFlight,
            workers,
            calls.partitions(),
            http);
    return new ThroughputBenchmark(options, this::step)::run;
  }
}
