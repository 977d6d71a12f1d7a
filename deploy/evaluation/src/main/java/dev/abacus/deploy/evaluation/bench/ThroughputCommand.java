package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Documents;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Losses;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench throughput}: compares documents per second of the product with those of its
 * alternatives, with a broker in the same process and simulated model calls.
 *
 * <p>Only the model is simulated; topology, pending store, prompts, answers and results are those
 * of the product. The alternatives do the same work in their own way. No contender runs beside
 * another.
 */
@Command(
    name = "throughput",
    description = {
      "Compare documents per second with those of Confluent's parallel consumer and of the "
          + "model client without Kafka.",
      "Uses a broker in the same process and simulated model calls with a fixed latency. "
          + "Takes about two minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  abacus bench throughput",
      "  abacus bench throughput --latency 2s --stragglers --keys hot",
      "  abacus bench throughput --only abacus --workers 4 --latency 2s",
      "  abacus bench throughput --latency 0ms --http --only abacus,client -o json"
    })
final class ThroughputCommand extends BenchmarkCommand<ThroughputReport> {

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
  private static final long MEGABYTE = 1024 * 1024;

  @Option(names = "--in-flight", description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--workers",
      description =
          "Workers of the product in this process, each with --in-flight; with --only abacus "
              + "(default: ${DEFAULT-VALUE}).")
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
  private Keys keys = Keys.UNIQUE;

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

  private long lastProgress = System.nanoTime();
  private long heap;

  /** Keys of the documents. */
  enum Keys {
    /** Each document has a key of its own. */
    UNIQUE,
    /** 100 keys. */
    HUNDRED,
    /** Half of the documents have one key, the others keys of their own. */
    HOT,
    /** All documents have one key. */
    ONE;

    String of(long document) {
      return switch (this) {
        case UNIQUE -> "d-" + document;
        case HUNDRED -> "k-" + document % 100;
        case HOT -> document % 2 == 0 ? "hot" : "d-" + document;
        case ONE -> "k";
      };
    }
  }

  @Override
  protected void check() {
    if (documents < 1 || documentBytes < 0 || calls.latency().isNegative()) {
      throw new IllegalArgumentException(
          "--documents must be above 0, --document-bytes and --latency not below 0");
    }
    if (inFlight < 1 || calls.partitions() < 1 || only.isEmpty()) {
      throw new IllegalArgumentException(
          "--in-flight and --partitions must be above 0, --only not empty");
    }
    if (workers < 1 || workers > calls.partitions()) {
      throw new IllegalArgumentException("--workers must be above 0 and at most --partitions");
    }
    if (workers > 1 && !only.equals(List.of(Contender.ABACUS))) {
      throw new IllegalArgumentException("--workers above 1 need --only abacus");
    }
  }

  @Override
  protected ThroughputReport measure() throws InterruptedException, IOException {
    Map<Contender, Rate> rates = new LinkedHashMap<>();
    try (BenchmarkCluster cluster = new BenchmarkCluster(calls.partitions());
        BenchmarkModel model = BenchmarkModel.of(calls.latency(), stragglers, http)) {
      warmUp(cluster, model.client());
      for (Contender contender : only) {
        step(contender.toString());
        rates.put(contender, measure(contender, cluster, model.client()));
      }
    }
    return report(rates);
  }

  private record Rate(double perSecond, long documents, Losses losses, double seconds) {}

  private ThroughputReport report(Map<Contender, Rate> rates) {
    double seconds = BenchmarkModel.meanSeconds(calls.latency(), stragglers);
    double ideal = (double) workers * inFlight / seconds;
    boolean finite = Double.isFinite(ideal);
    List<ThroughputReport.Measured> measured = new ArrayList<>();
    rates.forEach((contender, rate) ->
        measured.add(
            new ThroughputReport.Measured(
                contender.toString(),
                contender.guarantee(),
                rate.perSecond(),
                finite ? rate.perSecond() / ideal : null,
                ratio(rate, rates.get(Contender.CLIENT)),
                ratio(rates.get(Contender.ABACUS), rate),
                rate.documents(),
                rate.losses().deadLetters(),
                rate.losses().duplicates(),
                rate.seconds())));
    return new ThroughputReport(finite ? ideal : null, measured, heap / MEGABYTE, true);
  }

  /** What processes the documents until it is closed. */
  private interface Running extends AutoCloseable {
    @Override
    void close();
  }

  /** Loads and compiles what the contenders share, so that the first one has no disadvantage. */
  private void warmUp(BenchmarkCluster cluster, ModelClient model) {
    int fewer = Math.max(1, documents / 4);
    BenchmarkProgram program = new BenchmarkProgram("bench-warm-up", 1);
    try (DocumentFlow flow = prepared(cluster, program, fewer);
        Running _ = asynchronous(cluster, program, model)) {
      flow.awaitResults(fewer, _ -> {});
    }
  }

  private static @Nullable Double ratio(@Nullable Rate one, @Nullable Rate other) {
    return one == null || other == null ? null : one.perSecond() / other.perSecond();
  }

  private Rate measure(Contender contender, BenchmarkCluster cluster, ModelClient model)
      throws InterruptedException {
    BenchmarkProgram program = new BenchmarkProgram("bench-" + contender, 1);
    BenchmarkWork work = new BenchmarkWork(program, model);
    if (contender == Contender.CLIENT) {
      return client(work, model);
    }
    try (DocumentFlow flow = prepared(cluster, program, documents);
        Running _ =
            contender == Contender.ABACUS
                ? asynchronous(cluster, program, model)
                : new ParallelConsumer(program, work).start(cluster.connection(), inFlight)
                    ::closeDontDrainFirst) {
      flow.awaitResults(documents, this::results);
      return new Rate(
          flow.arrivals().steadyRate(), flow.results(), flow.losses(), flow.arrivals().seconds());
    }
  }

  /** The workers of the product, each with a limit of its own. */
  private Running asynchronous(
      BenchmarkCluster cluster, BenchmarkProgram program, ModelClient model) {
    List<KafkaStreams> running = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      running.add(cluster.worker(program, program.services(model), inFlight, "worker-" + i));
      running.getLast().start();
    }
    return () -> running.forEach(KafkaStreams::close);
  }

  private void results(long number) {
    if (System.nanoTime() - lastProgress > BETWEEN_LINES.toNanos()) {
      lastProgress = System.nanoTime();
      step("%d of %d documents".formatted(number, documents));
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && pool.getName().matches(".*(Tenured|Old) Gen.*")) {
        heap = Math.max(heap, pool.getCollectionUsage().getUsed());
      }
    }
  }

  /** Calls the model from as many threads as documents may be in flight. */
  private Rate client(BenchmarkWork work, ModelClient model) throws InterruptedException {
    ModelRequest request = work.request(BenchmarkProgram.document(0, documentBytes));
    AtomicInteger next = new AtomicInteger();
    Queue<Long> ends = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < inFlight; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try {
              while (next.getAndIncrement() < documents) {
                model.call(request);
                ends.add(System.nanoTime());
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    ArrivalTimes times = new ArrivalTimes();
    ends.stream().sorted().forEach(times::add);
    return new Rate(times.steadyRate(), times.count(), new Losses(0, 0, 0), times.seconds());
  }

  /** The flow of a program, with its documents at the broker. */
  private DocumentFlow prepared(BenchmarkCluster cluster, BenchmarkProgram program, int number) {
    cluster.create(program);
    DocumentFlow flow =
        new DocumentFlow(
            cluster.connection(), program, new Documents(documentBytes, keys::of), _ -> {});
    flow.sendNow(number);
    return flow;
  }
}
