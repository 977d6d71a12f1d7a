package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.flow.ArrivalTimes;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
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

  /** A longer time without results means a failure. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  /** What the benchmark does, for the user. */
  interface Progress {

    /** A contender begins. */
    void begins(Contender contender);

    /** The number of results so far. */
    void results(long number);
  }

  private final ThroughputOptions options;
  private final Progress progress;

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
    try (DataFolder folder = DataFolder.of(null, "bench");
        LocalKafka kafka = LocalKafka.start();
        BenchmarkModel model = BenchmarkModel.of(options)) {
      warmUp(kafka, model.client(), folder.path());
      for (Contender contender : options.contenders()) {
        progress.begins(contender);
        rates.put(contender, measure(contender, kafka, model.client(), folder.path()));
      }
    }
    return report(rates);
  }

  private record Rate(
      double perSecond, long documents, long deadLetters, long duplicates, double seconds) {

    static Rate of(double perSecond, ResultCounter count) {
      return new Rate(
          perSecond, count.results(), count.deadLetters(), count.duplicates(), count.seconds());
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
    return new ThroughputReport(finite ? ideal : null, measured, true);
  }

  /** Loads and compiles what the contenders share, so that the first one has no disadvantage. */
  private void warmUp(LocalKafka kafka, ModelClient model, Path state) throws InterruptedException {
    int documents = Math.max(1, options.load().documents() / 4);
    BenchmarkProgram program = new BenchmarkProgram("bench-warm-up");
    prepare(kafka, program, documents);
    try (KafkaStreams _ = asynchronous(kafka, program, model, state);
        ResultCounter count = new ResultCounter(kafka.bootstrapServers(), program.program())) {
      count.awaitResults(documents, LONGEST_SILENCE, _ -> {});
    }
  }

  private static @Nullable Double ratio(@Nullable Rate one, @Nullable Rate other) {
    return one == null || other == null ? null : one.perSecond() / other.perSecond();
  }

  private Rate measure(Contender contender, LocalKafka kafka, ModelClient model, Path state)
      throws InterruptedException {
    BenchmarkProgram program = new BenchmarkProgram("bench-" + contender);
    BenchmarkWork work = new BenchmarkWork(program, model);
    if (contender == Contender.CLIENT) {
      return client(work, model);
    }
    boolean synchronous = contender == Contender.SYNCHRONOUS;
    int documents = synchronous ? synchronousDocuments() : options.load().documents();
    prepare(kafka, program, documents);
    Alternatives alternatives =
        new Alternatives(kafka.bootstrapServers(), program, work, options.inFlight());
    try (ResultCounter count = new ResultCounter(kafka.bootstrapServers(), program.program());
        AutoCloseable _ =
            switch (contender) {
              case ABACUS -> asynchronous(kafka, program, model, state);
              case SYNCHRONOUS ->
                  start(
                      kafka,
                      SynchronousTopology.of(program, work),
                      program.program().name(),
                      state,
                      RuntimeSettings.defaults().recordLimit());
              case PARALLEL_CONSUMER -> alternatives.parallelConsumer(ProcessingOrder.UNORDERED);
              case PARALLEL_CONSUMER_BY_KEY -> alternatives.parallelConsumer(ProcessingOrder.KEY);
              case VIRTUAL_THREADS -> alternatives.virtualThreads();
              case CLIENT -> throw new IllegalStateException("the client needs no Kafka");
            }) {
      if (synchronous) {
        count.awaitTime(options.synchronousFor(), LONGEST_SILENCE);
        return Rate.of(count.wholeRate(), count);
      }
      count.awaitResults(documents, LONGEST_SILENCE, progress::results);
      return Rate.of(count.steadyRate(), count);
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

  private KafkaStreams asynchronous(
      LocalKafka kafka, BenchmarkProgram program, ModelClient model, Path state) {
    RuntimeSettings settings = RuntimeSettings.defaults().withPendingBound(2 * options.inFlight());
    Topology topology =
        DocumentTopology.of(
            program.program(),
            program.services(model),
            settings,
            RuntimeServices.of(options.inFlight()),
            _ -> 1);
    return start(kafka, topology, program.program().name(), state, settings.recordLimit());
  }

  /** Calls the model from as many threads as documents may be in flight. */
  private Rate client(BenchmarkWork work, ModelClient model) throws InterruptedException {
    ModelRequest request = work.request(BenchmarkProgram.document(0));
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

  private void prepare(LocalKafka kafka, BenchmarkProgram benchmark, int documents)
      throws InterruptedException {
    Program program = benchmark.program();
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    List<TopicSpec> topics =
        new ArrayList<>(TopicSpec.of(KafkaNames.UNPREFIXED, program, options.partitions()));
    topics.add(
        new TopicSpec(benchmark.source(), options.partitions(), Map.of("retention.ms", "-1")));
    try (Admin admin = Admin.create(properties)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < documents; i++) {
        byte[] key = options.load().keys().of(i).getBytes(StandardCharsets.UTF_8);
        byte[] value = BenchmarkProgram.document(i);
        var _ = producer.send(new ProducerRecord<>(benchmark.source(), key, value));
      }
    }
  }

  private static KafkaStreams start(
      LocalKafka kafka, Topology topology, String application, Path state, int recordLimit) {
    StreamsSettings settings =
        new StreamsSettings(
            application,
            kafka.bootstrapServers(),
            state.toString(),
            1,
            64L * 1024 * 1024,
            recordLimit,
            Map.of("auto.offset.reset", "earliest"));
    KafkaStreams streams = new KafkaStreams(topology, settings.toProperties());
    streams.start();
    return streams;
  }
}
