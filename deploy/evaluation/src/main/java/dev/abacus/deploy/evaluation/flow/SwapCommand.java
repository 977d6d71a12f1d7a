package dev.abacus.deploy.evaluation.flow;

import static dev.abacus.deploy.evaluation.load.BenchmarkCluster.LONGEST_SILENCE;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.CommittedResult;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.value.RecordValues;
import dev.abacus.topology.control.ControlFollower;
import dev.abacus.topology.control.ProgramPlans;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
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
      "Measure plan swaps while documents flow: the delay of an activation, documents per "
          + "second with and without swaps, and whether one plan processes every document exactly "
          + "once.",
      "Uses a broker in the same process, exactly_once_v2 and two simulated model calls with "
          + "a fixed latency per document."
    },
    footer = "  abacus bench swap --swaps 100 --workers 3 -o json")
public final class SwapCommand extends BenchmarkCommand<SwapReport> {

  @Option(names = "--in-flight", description = "Documents in flight (default: ${DEFAULT-VALUE}).")
  private int inFlight = 500;

  @Option(
      names = "--every",
      defaultValue = "300ms",
      description = "Interval between plan swaps (default: ${DEFAULT-VALUE}).")
  private Duration every = Duration.ZERO;

  @Option(
      names = "--seconds",
      defaultValue = "8s",
      paramLabel = "DURATION",
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

  /** The {@link System#nanoTime} of the first result of each plan. */
  private final Map<Long, Long> firstResults = new HashMap<>();

  /** Number of documents that several plans processed. */
  private long mixed;

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
    try (BenchmarkCluster cluster = new BenchmarkCluster(calls.partitions());
        Workers running = new Workers();
        PlanPublisher plans = cluster.start(program);
        DocumentFlow flow =
            new DocumentFlow(
                cluster.connection(), program, DocumentFlow.Documents.SHORT, this::arrived)) {
      for (int i = 0; i < workers; i++) {
        ControlFollower control = follow(cluster.connection());
        ProgramPlans known = control.plans(program.program().name());
        EchoModelClient model = new EchoModelClient(calls.latency());
        KafkaStreams streams = streams(cluster, "worker-" + i, known, model);
        running.all.add(new Worker(control, model, streams));
        flow.until("first plan", () -> known.state().active() != null, () -> 0, LONGEST_SILENCE);
        streams.start();
      }
      return measure(flow, plans, running);
    }
  }

  /** Each step answers with the epoch of the plan that made the call. */
  private void arrived(CommittedResult result) {
    long epoch = result.epoch();
    firstResults.putIfAbsent(epoch, result.nanos());
    String value = result.value();
    if (!value.contains("\"topic\":\"" + epoch + "\"")
        || !value.contains("\"topic1\":\"" + epoch + "\"")) {
      mixed++;
    }
  }

  /** One worker: what follows the plans, calls the model, and runs the documents. */
  private record Worker(ControlFollower control, EchoModelClient model, KafkaStreams streams) {}

  private static final class Workers implements AutoCloseable {
    private final List<Worker> all = new ArrayList<>();

    @Override
    public void close() {
      all.forEach(worker -> worker.streams().close());
      all.forEach(worker -> worker.control().close());
    }
  }

  private SwapReport measure(DocumentFlow flow, PlanPublisher plans, Workers running) {
    step("warm-up");
    fullLoad(flow, plans, false);
    double without = 0;
    double with = 0;
    long first = plans.epoch();
    for (int i = 0; i < 2; i++) {
      step("full load, one plan");
      without += fullLoad(flow, plans, false) / 2;
      step("full load, swaps");
      with += fullLoad(flow, plans, true) / 2;
    }
    long middle = plans.epoch();
    flow.drain(LONGEST_SILENCE);
    step("half load, swaps");
    flow.during(phase(), flow.atRate(without / 2), swaps(plans));
    flow.drain(LONGEST_SILENCE);
    return new SwapReport(
        with,
        without,
        with / without,
        effect(first, middle, plans, running),
        effect(middle, plans.epoch(), plans, running),
        flow.sent(),
        flow.losses(),
        mixed,
        true);
  }

  /** Runs one phase in which workers never idle; returns documents per second. */
  private double fullLoad(DocumentFlow flow, PlanPublisher plans, boolean swapping) {
    LongSupplier backlog = flow.backlog(backlog());
    long before = flow.results();
    // Measure only after the first results.
    flow.until("first result", () -> flow.results() > before, backlog, LONGEST_SILENCE);
    ArrivalTimes arrivals = flow.restartArrivals();
    flow.during(phase(), backlog, swapping ? swaps(plans) : () -> {});
    return arrivals.rate();
  }

  /** Swaps the plan whenever it is time to, from now on. */
  private Runnable swaps(PlanPublisher plans) {
    AtomicLong last = new AtomicLong(System.nanoTime());
    return () -> {
      long now = System.nanoTime();
      if (now - last.get() >= every.toNanos()) {
        last.set(now);
        plans.next();
      }
    };
  }

  /** Measures the activations after epoch {@code after}, up to and including {@code to}. */
  private SwapReport.Effect effect(long after, long to, PlanPublisher plans, Workers running) {
    List<Map<Long, Long>> firstCalls =
        running.all.stream().map(worker -> worker.model().firstCalls()).toList();
    return new SwapReport.Effect(
        (int) (to - after),
        delay(after, to, plans.activations(), firstCalls),
        delay(after, to, plans.activations(), List.of(firstResults)));
  }

  /** The delays from the start of each epoch to each of its ends, as far as it has them. */
  private static SwapReport.Delay delay(
      long after, long to, Map<Long, Long> starts, List<Map<Long, Long>> ends) {
    List<Long> nanos = new ArrayList<>();
    for (Map<Long, Long> end : ends) {
      end.forEach((epoch, at) -> {
        if (epoch > after && epoch <= to) {
          nanos.add(at - starts.getOrDefault(epoch, 0L));
        }
      });
    }
    return SwapReport.Delay.ofNanos(nanos);
  }

  private static ControlFollower follow(KafkaConnection connection) {
    return new ControlFollower(
        connection.consumer(Map.of()),
        connection.names(),
        new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY),
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
