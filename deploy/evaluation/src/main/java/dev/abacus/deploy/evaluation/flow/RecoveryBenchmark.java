package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.WorkerRun;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.local.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kills a worker while documents arrive at a fixed rate, and measures the time to recover and the
 * repeated work. Broker and simulated models run in this process, workers in separate JVMs.
 */
final class RecoveryBenchmark {

  private static final Duration LOOK = Duration.ofMillis(10);

  /** A poll within this time returns all committed results. */
  private static final Duration IN_SIGHT = Duration.ofMillis(100);

  private static final Duration START = Duration.ofMinutes(2);

  /** Kafka removes a dead member after 45 s and aborts its transactions after 60 s, by default. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Time during which documents flow after recovery. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private final RecoveryOptions options;
  private final Consumer<String> progress;
  private final BenchmarkProgram program = new BenchmarkProgram("bench-recovery", 2);

  /**
   * Creates a benchmark.
   *
   * @param progress receives a description of each measurement
   */
  RecoveryBenchmark(RecoveryOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated models cannot start or do not answer
   * @throws IllegalStateException if results do not arrive in time
   */
  RecoveryReport run() throws IOException, InterruptedException {
    List<WorkerRun> workers = new ArrayList<>();
    for (Takeover takeover : options.takeovers()) {
      for (int i = 1; i <= options.repetitions(); i++) {
        progress.accept(
            "killing a worker, takeover by %s (%d of %d)"
                .formatted(takeover, i, options.repetitions()));
        workers.add(measure(takeover));
      }
    }
    return new RecoveryReport(options.properties(), workers, true);
  }

  private WorkerRun measure(Takeover takeover) throws IOException, InterruptedException {
    RecoveryObserver watch = new RecoveryObserver();
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions());
        WorkerProcesses workers =
            WorkerProcesses.of(
                cluster, options.latency(), options.inFlight(), options.properties());
        PlanPublisher _ = cluster.start(program, options.properties());
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
    flow.send(1);
    victim.awaitReady(() -> flow.look(LOOK), START);
    PacedSender paced = new PacedSender(flow, options.perSecond(), LOOK);
    long usual = paced.during(options.before());
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
    paced.until(
        "results of all partitions", () -> watch.partitions() == options.partitions(), PATIENCE);
    paced.until(
        "no more documents waiting than before the kill", () -> flow.waiting() <= usual, PATIENCE);
    long caughtUp = System.nanoTime();
    paced.during(AFTERWARDS);
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
        flow.waiting(),
        flow.duplicates(),
        flow.deadLetters());
  }
}
