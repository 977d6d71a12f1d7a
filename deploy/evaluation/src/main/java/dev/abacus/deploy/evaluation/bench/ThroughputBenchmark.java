package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.runtime.RuntimeServices;
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
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/**
 * Compares documents per second of the product with those of its alternatives: a broker in the same
 * process and simulated model calls.
 *
 * <p>Only the model is simulated; topology, pending store, prompts, answers and results are those
 * of the product. The alternatives do the same work in their own way. No contender runs beside
 * another.
 */
final class ThroughputBenchmark {

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
  private static final long MEGABYTE = 1024 * 1024;

  private final ThroughputOptions options;
  private final Consumer<String> progress;
  private long lastProgress = System.nanoTime();
  private long heap;

  /**
   * Creates a benchmark.
   *
   * @param progress receives what is measured and, every few seconds, how far it is
   */
  ThroughputBenchmark(ThroughputOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated endpoint cannot start
   * @throws IllegalStateException if no results arrive
   */
  ThroughputReport run() throws InterruptedException, IOException {
    Map<Contender, Rate> rates = new LinkedHashMap<>();
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions());
        BenchmarkModel model = BenchmarkModel.of(options)) {
      warmUp(cluster, model.client());
      for (Contender contender : options.contenders()) {
        progress.accept(contender.toString());
        rates.put(contender, measure(contender, cluster, model.client()));
      }
    }
    return report(rates);
  }

  private record Rate(
      double perSecond, long documents, long deadLetters, long duplicates, double seconds) {}

  private ThroughputReport report(Map<Contender, Rate> rates) {
    double ideal = options.ideal();
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
                rate.deadLetters(),
                rate.duplicates(),
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
    int documents = Math.max(1, options.load().documents() / 4);
    BenchmarkProgram program = new BenchmarkProgram("bench-warm-up", 1);
    try (DocumentFlow flow = prepared(cluster, program, documents);
        Running _ = asynchronous(cluster, program, model)) {
      flow.awaitResults(documents, _ -> {});
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
    int documents = options.load().documents();
    try (DocumentFlow flow = prepared(cluster, program, documents);
        Running _ =
            contender == Contender.ABACUS
                ? asynchronous(cluster, program, model)
                : new ParallelConsumer(program, work)
                        .start(cluster.connection(), options.inFlight())
                    ::closeDontDrainFirst) {
      flow.awaitResults(documents, this::results);
      return new Rate(
          flow.arrivals().steadyRate(),
          flow.results(),
          flow.deadLetters(),
          flow.duplicates(),
          flow.arrivals().seconds());
    }
  }

  /** The workers of the product, each with a limit of its own. */
  private Running asynchronous(
      BenchmarkCluster cluster, BenchmarkProgram program, ModelClient model) {
    List<KafkaStreams> workers = new ArrayList<>();
    for (int i = 0; i < options.workers(); i++) {
      RuntimeServices runtime = RuntimeServices.of(options.inFlight());
      workers.add(
          cluster.worker(
              program, program.services(model), options.inFlight(), "worker-" + i, runtime));
      workers.getLast().start();
    }
    return () -> workers.forEach(KafkaStreams::close);
  }

  private void results(long number) {
    if (System.nanoTime() - lastProgress > BETWEEN_LINES.toNanos()) {
      lastProgress = System.nanoTime();
      progress.accept("%d of %d documents".formatted(number, options.load().documents()));
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && pool.getName().matches(".*(Tenured|Old) Gen.*")) {
        heap = Math.max(heap, pool.getCollectionUsage().getUsed());
      }
    }
  }

  /** Calls the model from as many threads as documents may be in flight. */
  private Rate client(BenchmarkWork work, ModelClient model) throws InterruptedException {
    ModelRequest request = work.request(BenchmarkProgram.document(0, 0));
    int calls = options.load().documents();
    AtomicInteger next = new AtomicInteger();
    Queue<Long> ends = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < options.inFlight(); i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try {
              while (next.getAndIncrement() < calls) {
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
    return new Rate(times.steadyRate(), times.count(), 0, 0, times.seconds());
  }

  /** The flow of a program, with its documents at the broker. */
  private DocumentFlow prepared(BenchmarkCluster cluster, BenchmarkProgram program, int documents) {
    cluster.create(program);
    DocumentFlow flow =
        new DocumentFlow(cluster.connection(), program, options.load().kind(), _ -> {});
    flow.sendNow(documents);
    return flow;
  }
}
