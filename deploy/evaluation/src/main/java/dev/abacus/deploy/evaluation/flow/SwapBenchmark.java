package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.control.ControlFollower;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.runtime.RuntimeServices;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of plan swaps while documents flow: workers and a broker in the same process,
 * exactly-once semantics and simulated model calls with a fixed latency. Plans arrive through the
 * control topic, as from an optimizer. Only the model is simulated.
 */
public final class SwapBenchmark {

  private final SwapOptions options;
  private final Consumer<String> progress;
  private final BenchmarkProgram program = new BenchmarkProgram("bench-swap", 2);

  /**
   * Creates a benchmark.
   *
   * @param progress receives the name of each phase
   */
  public SwapBenchmark(SwapOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs a warm-up and five phases.
   *
   * @throws IllegalStateException if no results arrive
   */
  public SwapReport run() {
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions())) {
      cluster.create(program);
      SwapObserver observations = new SwapObserver();
      try (Workers workers = new Workers();
          PlanPublisher swaps = PlanPublisher.begin(cluster.connection(), program);
          DocumentFlow flow =
              new DocumentFlow(
                  cluster.connection(), program, DocumentFlow.Documents.SHORT, observations)) {
        SwapPhases phases = new SwapPhases(options, flow, swaps);
        for (int i = 0; i < options.workers(); i++) {
          ControlFollower control = follow(cluster.connection());
          ProgramPlans plans = control.plans(program.program().name());
          EchoModelClient model = new EchoModelClient(options.latency());
          workers.all.add(
              new Worker(control, model, streams(cluster, "worker-" + i, plans, model)));
          phases.awaitPlan(plans);
          workers.all.getLast().streams().start();
        }
        return measure(phases, flow, swaps, observations, workers.models());
      }
    }
  }

  /** One worker: what follows the plans, calls the model, and runs the documents. */
  private record Worker(ControlFollower control, EchoModelClient model, KafkaStreams streams) {}

  private static final class Workers implements AutoCloseable {
    private final List<Worker> all = new ArrayList<>();

    private List<LongFunction<@Nullable Long>> models() {
      return all.stream()
          .map(worker -> (LongFunction<@Nullable Long>) worker.model()::firstCall)
          .toList();
    }

    @Override
    public void close() {
      all.forEach(worker -> worker.streams().close());
      all.forEach(worker -> worker.control().close());
    }
  }

  private SwapReport measure(
      SwapPhases phases,
      DocumentFlow flow,
      PlanPublisher swaps,
      SwapObserver observations,
      List<LongFunction<@Nullable Long>> firstCalls) {
    progress.accept("warm-up");
    phases.fullLoad(false);
    double without = 0;
    double with = 0;
    long first = swaps.epoch();
    for (int i = 0; i < 2; i++) {
      progress.accept("full load, one plan");
      without += phases.fullLoad(false) / 2;
      progress.accept("full load, swaps");
      with += phases.fullLoad(true) / 2;
    }
    long middle = swaps.epoch();
    phases.drain();
    progress.accept("half load, swaps");
    phases.paced(without / 2);
    phases.drain();
    LongUnaryOperator activations = swaps::activation;
    return new SwapReport(
        with,
        without,
        with / without,
        effect(first, middle, activations, observations, firstCalls),
        effect(middle, swaps.epoch(), activations, observations, firstCalls),
        flow.sent(),
        flow.waiting(),
        flow.duplicates(),
        flow.deadLetters(),
        observations.mixed(),
        true);
  }

  /** Measures the activations after epoch {@code after}, up to and including {@code to}. */
  private static SwapReport.Effect effect(
      long after,
      long to,
      LongUnaryOperator activations,
      SwapObserver observations,
      List<LongFunction<@Nullable Long>> firstCalls) {
    return new SwapReport.Effect(
        (int) (to - after),
        observations.delay(after, to, activations, firstCalls),
        observations.delay(after, to, activations, List.of(observations::firstResult)));
  }

  private static ControlFollower follow(KafkaConnection connection) {
    return new ControlFollower(
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                connection.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false),
            new StringDeserializer(),
            new ByteArrayDeserializer()),
        connection.names(),
        new ControlCodec(ModelCatalogue.builtIn(), ControlCodec.AvroReader.NONE),
        new Supervisor(RestartPolicy.standard(KafkaException.class::isInstance), Clock.systemUTC()),
        (_, _) -> {
          // New documents read the plan from the program plans.
        });
  }

  private KafkaStreams streams(
      BenchmarkCluster cluster, String worker, ProgramPlans plans, EchoModelClient model) {
    int inFlight = options.inFlight() / options.workers();
    KafkaStreams streams =
        cluster.worker(
            program,
            BenchmarkProgram.services(plans, model),
            inFlight,
            worker,
            RuntimeServices.of(inFlight));
    // As a worker does; without a handler the client stops, and its partitions wait for the others.
    streams.setUncaughtExceptionHandler(_ -> StreamThreadExceptionResponse.REPLACE_THREAD);
    return streams;
  }
}
