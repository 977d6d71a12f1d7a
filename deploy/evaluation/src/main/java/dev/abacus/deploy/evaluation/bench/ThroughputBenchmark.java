package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.runtime.RuntimeServices;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
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

/**
 * Compares documents per second of the product with those of its alternatives: a broker in the same
 * process and simulated model calls.
 *
 * <p>Only the model is simulated; topology, pending store, prompts, answers and results are those
 * of the product. The alternatives do the same work in their own way. No contender runs beside
 * another.
 */
final class ThroughputBenchmark {

  private static final Duration LONGEST_SILENCE = BenchmarkCluster.LONGEST_SILENCE;
  private static final long MEGABYTE = 1024 * 1024;

  /** What the benchmark does, for the user. */
  interface Progress {

    /** A contender begins. */
    void begins(Contender contender);

    /** The number of results so far. */
    void results(long number);
  }

  private final ThroughputOptions options;
  private final Progress progress;
  private long heap;

  ThroughputBenchmark(ThroughputOptions options, Progress progress) {
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
        progress.begins(contender);
        rates.put(contender, measure(contender, cluster, model.client()));
      }
    }
    return report(rates);
  }

  private record Rate(
      double perSecond, long documents, long deadLetters, long duplicates, double seconds) {

    static Rate of(double perSecond, DocumentFlow flow) {
      return new Rate(
          perSecond,
          flow.results(),
          flow.deadLetters(),
          flow.duplicates(),
          flow.arrivals().seconds());
    }
  }

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

  /** Loads and compiles what the contenders share, so that the first one has no disadvantage. */
  private void warmUp(BenchmarkCluster cluster, ModelClient model) throws InterruptedException {
    int documents = Math.max(1, options.load().documents() / 4);
    BenchmarkProgram program = new BenchmarkProgram("bench-warm-up", 1);
    try (DocumentFlow flow = prepared(cluster, program, documents);
        AutoCloseable _ = asynchronous(cluster, program, model)) {
      flow.awaitResults(documents, LONGEST_SILENCE, _ -> {});
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the warm-up cannot be closed", e);
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
    boolean synchronous = contender == Contender.SYNCHRONOUS;
    int documents = synchronous ? synchronousDocuments() : options.load().documents();
    Alternatives alternatives =
        new Alternatives(cluster.connection(), program, work, options.inFlight());
    try (DocumentFlow flow = prepared(cluster, program, documents);
        AutoCloseable _ =
            switch (contender) {
              case ABACUS -> asynchronous(cluster, program, model);
              case SYNCHRONOUS ->
                  started(
                      cluster.streams(
                          SynchronousTopology.of(program, work),
                          program.program().name(),
                          "synchronous"));
              case PARALLEL_CONSUMER -> alternatives.parallelConsumer(ProcessingOrder.UNORDERED);
              case PARALLEL_CONSUMER_BY_KEY -> alternatives.parallelConsumer(ProcessingOrder.KEY);
              case VIRTUAL_THREADS -> alternatives.virtualThreads();
              case CLIENT -> throw new IllegalStateException("the client needs no Kafka");
            }) {
      if (synchronous) {
        flow.awaitResults(1, LONGEST_SILENCE, _ -> {});
        flow.pollFor(options.synchronousFor());
        return Rate.of(flow.arrivals().rate(), flow);
      }
      flow.awaitResults(documents, LONGEST_SILENCE, this::results);
      return Rate.of(flow.arrivals().steadyRate(), flow);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(contender + " cannot be closed", e);
    }
  }

  /** Twice the documents that fit into the time, so that they do not run out. */
  private int synchronousDocuments() {
    double seconds = options.load().meanSeconds();
    return seconds == 0
        ? options.load().documents()
        : (int) Math.ceil(2 * options.synchronousFor().toMillis() / 1e3 / seconds) + 10;
  }

  /** The workers of the product, each with a limit of its own. */
  private AutoCloseable asynchronous(
      BenchmarkCluster cluster, BenchmarkProgram program, ModelClient model) {
    List<KafkaStreams> workers = new ArrayList<>();
    for (int i = 0; i < options.workers(); i++) {
      RuntimeServices runtime = RuntimeServices.of(options.inFlight());
      workers.add(
          started(
              cluster.worker(
                  program, program.services(model), options.inFlight(), "worker-" + i, runtime)));
    }
    return () -> workers.forEach(KafkaStreams::close);
  }

  private static KafkaStreams started(KafkaStreams streams) {
    streams.start();
    return streams;
  }

  private void results(long number) {
    progress.results(number);
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
