package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.DurationConverter;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.control.ControlFollower;
import dev.abacus.topology.control.ProgramPlans;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench swap}: measures the cost of plan swaps while documents flow. Workers and a
 * broker run in the same process, with exactly-once semantics and simulated model calls with a
 * fixed latency. Plans arrive through the control topic, as from an optimizer. Only the model is
 * simulated.
 */
@Command(
    name = "swap",
    description = {
      "Measure plan swaps while documents flow: the delay of an activation, documents per second with and",
      "without swaps, and whether one plan processes every document exactly once. Uses a broker in the same",
      "process, exactly_once_v2 and two simulated model calls with a fixed latency per document."
    },
    footer = "  abacus bench swap --swaps 100 --workers 3 -o json")
public final class SwapCommand extends BenchmarkCommand<SwapReport> {

  @Option(names = "--in-flight", description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--every",
      defaultValue = "300ms",
      converter = DurationConverter.class,
      description = "Interval between plan swaps (default: ${DEFAULT-VALUE}).")
  private Duration every = Duration.ZERO;

  @Option(
      names = "--seconds",
      defaultValue = "8s",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Duration of the warm-up and of each of the five phases (default: ${DEFAULT-VALUE}).")
  private Duration phase = Duration.ZERO;

  @Option(names = "--swaps", description = "Number of swaps at full load, instead of --seconds.")
  private int swaps;

  @Option(
      names = "--workers",
      description =
          "Workers in this process that share the documents in flight (default: ${DEFAULT-VALUE}).")
  private int workers = 1;

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  private final BenchmarkProgram program = new BenchmarkProgram("bench-swap", 2);

  @Override
  protected void check() {
    if (!calls.latency().isPositive() || !every.isPositive() || !phase().isPositive()) {
      throw new IllegalArgumentException("--latency, --every and --seconds must be above 0");
    }
    if (workers < 1 || inFlight < workers || calls.partitions() < workers) {
      throw new IllegalArgumentException(
          "--workers must be above 0, --in-flight and --partitions not below it");
    }
    if (every.compareTo(phase()) > 0) {
      throw new IllegalArgumentException("--every must not be longer than --seconds");
    }
  }

  /** Runs a warm-up and five phases. */
  @Override
  protected SwapReport measure() {
    try (BenchmarkCluster cluster = new BenchmarkCluster(calls.partitions())) {
      SwapObserver observations = new SwapObserver();
      try (Workers running = new Workers();
          PlanPublisher publisher = cluster.start(program);
          DocumentFlow flow =
              new DocumentFlow(
                  cluster.connection(), program, DocumentFlow.Documents.SHORT, observations)) {
        SwapPhases phases = new SwapPhases(flow, publisher, backlog(), every, phase());
        for (int i = 0; i < workers; i++) {
          ControlFollower control = follow(cluster.connection());
          ProgramPlans plans = control.plans(program.program().name());
          EchoModelClient model = new EchoModelClient(calls.latency());
          running.all.add(
              new Worker(control, model, streams(cluster, "worker-" + i, plans, model)));
          phases.awaitPlan(plans);
          running.all.getLast().streams().start();
        }
        return measure(phases, flow, publisher, observations, running.models());
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
      PlanPublisher publisher,
      SwapObserver observations,
      List<LongFunction<@Nullable Long>> firstCalls) {
    step("warm-up");
    phases.fullLoad(false);
    double without = 0;
    double with = 0;
    long first = publisher.epoch();
    for (int i = 0; i < 2; i++) {
      step("full load, one plan");
      without += phases.fullLoad(false) / 2;
      step("full load, swaps");
      with += phases.fullLoad(true) / 2;
    }
    long middle = publisher.epoch();
    phases.drain();
    step("half load, swaps");
    phases.paced(without / 2);
    phases.drain();
    LongUnaryOperator activations = publisher::activation;
    return new SwapReport(
        with,
        without,
        with / without,
        effect(first, middle, activations, observations, firstCalls),
        effect(middle, publisher.epoch(), activations, observations, firstCalls),
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
    KafkaStreams streams =
        cluster.worker(
            program, BenchmarkProgram.services(plans, model), inFlight / workers, worker);
    // As a worker does; without a handler the client stops, and its partitions wait for the others.
    streams.setUncaughtExceptionHandler(_ -> StreamThreadExceptionResponse.REPLACE_THREAD);
    return streams;
  }

  /** The number of waiting documents at full load, so that workers never idle. */
  private long backlog() {
    double perSecond = inFlight / (2 * calls.latency().toNanos() / 1e9);
    return Math.round(4.0 * inFlight + 2 * perSecond);
  }

  @Override
  protected @Nullable String violation(SwapReport report) {
    return report.exact() ? null : "some documents were not processed exactly once by one plan";
  }

  /** Two phases with swaps at full load make the wanted number. */
  private Duration phase() {
    return swaps == 0 ? phase : every.multipliedBy(swaps).dividedBy(2).plus(every);
  }
}
