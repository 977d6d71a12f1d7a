package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.Takeover;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.WorkerRun;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.evaluation.load.SimulatedCalls;
import dev.abacus.deploy.local.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench recovery}: kills a worker while documents arrive at a fixed rate, and
 * measures the time to recover and the repeated work. Broker and simulated models run in this
 * process, workers in separate JVMs.
 */
@Command(
    name = "recovery",
    description = {
      "Measure recovery after kill -9 of a worker under steady load: the time to the next "
          + "result, the time to catch up, repeated model calls, and lost or duplicate documents.",
      "Workers run in separate JVMs; models are simulated."
    },
    footer =
        "  abacus bench recovery --takeover restart,survivor -X session.timeout.ms=10000 -o json")
public final class RecoveryCommand extends BenchmarkCommand<RecoveryReport> {

  /** A poll within this time returns all committed results. */
  private static final Duration IN_SIGHT = Duration.ofMillis(100);

  /** Kafka removes a dead member after 45 s and aborts its transactions after 60 s, by default. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Time during which documents flow after recovery. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  @Option(
      names = "--takeover",
      split = ",",
      paramLabel = "WHO",
      description =
          "restart (restarts the same worker), replacement (starts a worker without state) or "
              + "survivor (a second worker already runs); default: all.")
  private List<Takeover> takeovers = List.of(Takeover.values());

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Kills per takeover (default: ${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--in-flight",
      description = "Documents in flight per worker (default: ${DEFAULT-VALUE}).")
  private int inFlight = 200;

  @Option(
      names = "--rate",
      defaultValue = "100",
      paramLabel = "N",
      description = "Documents per second (default: ${DEFAULT-VALUE}).")
  private double rate = 100;

  @Option(
      names = "--before",
      defaultValue = "10s",
      description = "Time with documents before the kill (default: ${DEFAULT-VALUE}).")
  private Duration before = Duration.ZERO;

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Property of the workers, such as session.timeout.ms.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Mixin private SimulatedCalls calls = new SimulatedCalls();

  private final BenchmarkProgram program = new BenchmarkProgram("bench-recovery", 2);

  @Override
  protected void check() {
    if (repetitions < 1 || inFlight < 1 || calls.partitions() < 1) {
      throw new IllegalArgumentException(
          "--repetitions, --in-flight and --partitions must be above 0");
    }
    if (!calls.latency().isPositive() || !before.isPositive()) {
      throw new IllegalArgumentException("--latency and --before must be above 0");
    }
    double most = inFlight / (2 * calls.latency().toNanos() / 1e9);
    if (!(rate > 0 && rate < most)) {
      throw new IllegalArgumentException(
          ("--rate must be above 0 and below %.0f, which is all that --in-flight and two calls of"
                  + " --latency allow")
              .formatted(most));
    }
  }

  @Override
  protected RecoveryReport measure() throws IOException, InterruptedException {
    List<WorkerRun> workers = new ArrayList<>();
    for (Takeover takeover : EnumSet.copyOf(takeovers)) {
      for (int i = 1; i <= repetitions; i++) {
        step("killing a worker, takeover by %s (%d of %d)".formatted(takeover, i, repetitions));
        workers.add(measure(takeover));
      }
    }
    return new RecoveryReport(properties, workers, true);
  }

  private WorkerRun measure(Takeover takeover) throws IOException, InterruptedException {
    RecoveryObserver watch = new RecoveryObserver();
    try (BenchmarkCluster cluster = new BenchmarkCluster(calls.partitions());
        WorkerProcesses workers =
            WorkerProcesses.of(cluster, calls.latency(), inFlight, properties);
        PlanPublisher _ = cluster.start(program, properties);
        DocumentFlow flow =
            new DocumentFlow(cluster.connection(), program, DocumentFlow.Documents.SHORT, watch)) {
      return measure(takeover, workers, flow, watch);
    }
  }

  private WorkerRun measure(
      Takeover takeover, WorkerProcesses workers, DocumentFlow flow, RecoveryObserver watch)
      throws IOException, InterruptedException {
    ChildJvm victim = workers.start("worker-1");
    if (takeover == Takeover.SURVIVOR) {
      var _ = workers.start("worker-2");
    }
    flow.awaitReady(victim);
    LongSupplier paced = flow.atRate(rate);
    LongAccumulator usual = new LongAccumulator(Math::max, 0);
    flow.during(before.dividedBy(2), paced);
    flow.during(before.dividedBy(2), paced, () -> usual.accumulate(flow.waiting()));
    long waiting = flow.waiting();

    long killed = System.nanoTime();
    victim.kill();
    if (takeover == Takeover.RESTART) {
      var _ = workers.start("worker-1");
    } else if (takeover == Takeover.REPLACEMENT) {
      var _ = workers.start("worker-2");
    }
    // Read the results committed before the kill.
    while (flow.look(IN_SIGHT)) {
      // look() has recorded them.
    }
    watch.killed(flow.sent());
    flow.until(
        "results of all partitions",
        () -> watch.partitions() == calls.partitions(),
        paced,
        PATIENCE);
    flow.until(
        "no more documents waiting than before the kill",
        () -> flow.waiting() <= usual.get(),
        paced,
        PATIENCE);
    long caughtUp = System.nanoTime();
    flow.during(AFTERWARDS, paced);
    flow.drain(PATIENCE);
    JsonNode asked = workers.statistics();
    return new WorkerRun(
        takeover,
        (watch.first() - killed) / 1e9,
        (watch.allPartitions() - killed) / 1e9,
        (caughtUp - killed) / 1e9,
        flow.sent(),
        waiting,
        asked.path("calls").asLong(),
        asked.path("repeatedRequests").asLong(),
        flow.losses());
  }

  @Override
  protected @Nullable String violation(RecoveryReport report) {
    return report.exact() ? null : "some documents were not processed exactly once";
  }
}
