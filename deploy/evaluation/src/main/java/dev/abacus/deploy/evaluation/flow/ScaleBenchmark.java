package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.CommittedResult;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.local.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures what a scaler causes: one worker becomes several and one again, while more documents
 * wait than all can process. Broker and simulated models run in this process, workers in separate
 * JVMs; they are ended by SIGTERM.
 */
final class ScaleBenchmark {

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Durations of the benchmark.
   *
   * @param between time from the start or end of a worker to that of the next one
   * @param settle time from the last start or end to the measurement
   * @param phase duration of a measurement
   */
  record Times(Duration between, Duration settle, Duration phase) {
    Times {
      if (!phase.isPositive()) {
        throw new IllegalArgumentException("--seconds must be above 0");
      }
    }
  }

  /**
   * Options of the benchmark.
   *
   * @param workers number of workers to scale to
   * @param latency latency of each simulated model call; a document takes two calls
   * @param inFlight documents in flight per worker
   * @param partitions partitions of the source topic
   * @param times durations
   * @param properties properties of the workers
   */
  record Options(
      int workers,
      Duration latency,
      int inFlight,
      int partitions,
      Times times,
      Map<String, String> properties) {
    Options {
      properties = Map.copyOf(properties);
      if (workers < 2 || partitions < workers) {
        throw new IllegalArgumentException(
            "--workers must be above 1, and --partitions not below it");
      }
      if (inFlight < 1 || !latency.isPositive()) {
        throw new IllegalArgumentException("--in-flight and --latency must be above 0");
      }
    }
  }

  /** Results by source partition, and the longest time without one. */
  private static final class Silence implements Consumer<CommittedResult> {
    private final long[] last;
    private long longest;

    Silence(int partitions) {
      last = new long[partitions];
    }

    void restart() {
      Arrays.fill(last, System.nanoTime());
      longest = 0;
    }

    @Override
    public void accept(CommittedResult result) {
      int partition = result.sourcePartition();
      longest = Math.max(longest, result.nanos() - last[partition]);
      last[partition] = result.nanos();
    }

    double seconds() {
      long now = System.nanoTime();
      return Math.max(longest, Arrays.stream(last).map(at -> now - at).max().orElse(0)) / 1e9;
    }
  }

  private final Options options;
  private final Consumer<String> progress;
  private final BenchmarkProgram program = new BenchmarkProgram("bench-scale", 2);

  ScaleBenchmark(Options options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated models cannot start or do not answer
   * @throws IllegalStateException if a worker does not start
   */
  ScaleReport run() throws IOException, InterruptedException {
    Silence silence = new Silence(options.partitions());
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions());
        WorkerProcesses workers =
            WorkerProcesses.of(
                cluster, options.latency(), options.inFlight(), options.properties());
        PlanPublisher _ = cluster.start(program, options.properties());
        DocumentFlow flow =
            new DocumentFlow(
                cluster.connection(), program, DocumentFlow.Documents.SHORT, silence)) {
      return run(workers, flow, silence);
    }
  }

  private ScaleReport run(WorkerProcesses workers, DocumentFlow flow, Silence silence)
      throws IOException, InterruptedException {
    progress.accept("one worker");
    ChildJvm first = workers.start("worker-1");
    flow.send(1);
    first.awaitReady(() -> flow.look(LOOK), START);
    silence.restart();
    double one = change(1, 1, flow, silence).documentsPerSecond();

    progress.accept("%d workers".formatted(options.workers()));
    List<ChildJvm> others = new ArrayList<>();
    silence.restart();
    for (int i = 2; i <= options.workers(); i++) {
      others.add(workers.start("worker-" + i));
      load(flow, options.times().between());
    }
    ScaleReport.Change out = change(options.workers(), one, flow, silence);

    progress.accept("one worker again");
    silence.restart();
    for (ChildJvm worker : others) {
      worker.signal("TERM");
      load(flow, options.times().between());
    }
    ScaleReport.Change in = change(1, one, flow, silence);
    flow.drain(PATIENCE);
    return new ScaleReport(
        options.workers(),
        options.properties(),
        one,
        out,
        in,
        flow.sent(),
        workers.calls().repeated(),
        flow.waiting(),
        flow.duplicates(),
        flow.deadLetters(),
        true);
  }

  private ScaleReport.Change change(int workers, double one, DocumentFlow flow, Silence silence) {
    load(flow, options.times().settle());
    ArrivalTimes arrivals = flow.restartArrivals();
    load(flow, options.times().phase());
    double rate = arrivals.rate();
    return new ScaleReport.Change(silence.seconds(), rate, rate / one / workers);
  }

  private void load(DocumentFlow flow, Duration duration) {
    flow.keepWaiting(options.workers() * options.inFlight(), duration);
  }
}
