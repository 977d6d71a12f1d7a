package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures the time from the start of a worker process to the first committed result of a document
 * that was there before. Broker and simulated models run in this process; groups rebalance without
 * delay. Each worker has an empty state directory and continues where the last one stopped.
 *
 * @param launcher {@code bin/abacus} of an installation, or {@code abacus} of a checkout
 * @param repetitions number of starts, at least 1
 * @param latency latency of each of the two model calls of a document
 * @param progress receives a description of each start
 */
record StartUpBenchmark(
    Path launcher, int repetitions, Duration latency, Consumer<String> progress) {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(5);
  private static final long STOP_SECONDS = 30;

  StartUpBenchmark {
    if (repetitions < 1) {
      throw new IllegalArgumentException("--repetitions must be above 0");
    }
    if (!launcher.toFile().canExecute()) {
      throw new IllegalArgumentException("--launcher is no program: " + launcher);
    }
  }

  /**
   * Results of the benchmark.
   *
   * @param starts one entry per start, in order
   * @param medianSeconds median of the seconds to the first result
   * @param simulated always true: the models are simulated
   */
  record Report(List<Start> starts, double medianSeconds, boolean simulated) {

    static Report of(List<Start> starts) {
      List<Double> sorted = starts.stream().map(Start::secondsToFirstResult).sorted().toList();
      int middle = sorted.size() / 2;
      double median = (sorted.get((sorted.size() - 1) / 2) + sorted.get(middle)) / 2;
      return new Report(List.copyOf(starts), median, true);
    }
  }

  /**
   * One start.
   *
   * @param cpuSeconds CPU time of the worker until then, which depends less on what else runs; 0 if
   *     the system does not tell
   */
  record Start(double secondsToFirstResult, double cpuSeconds) {}

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated models or a worker cannot be started
   * @throws IllegalStateException if a worker has no result in time
   */
  Report run() throws IOException, InterruptedException {
    BenchmarkProgram program = new BenchmarkProgram("bench-startup", 2);
    List<Start> starts = new ArrayList<>();
    try (BenchmarkCluster cluster = new BenchmarkCluster(1);
        SimulatedEndpoint models =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(latency));
        PlanPublisher _ = cluster.start(program);
        DocumentFlow flow = new DocumentFlow(cluster.connection(), program)) {
      for (int i = 1; i <= repetitions; i++) {
        flow.send(1);
        Start one = start(cluster, "worker-" + i, models, flow);
        progress.accept(
            "start %d of %d: %.1f s, %.1f s of CPU time"
                .formatted(i, repetitions, one.secondsToFirstResult(), one.cpuSeconds()));
        starts.add(one);
      }
    }
    return Report.of(starts);
  }

  private Start start(
      BenchmarkCluster cluster, String name, SimulatedEndpoint models, DocumentFlow flow)
      throws IOException, InterruptedException {
    File log = cluster.folder().resolve(name + ".log").toFile();
    ProcessBuilder worker =
        new ProcessBuilder(
                launcher.toAbsolutePath().toString(),
                "worker",
                "--bootstrap-server",
                cluster.connection().bootstrapServers(),
                "--data",
                cluster.folder().resolve(name).toString(),
                "--model-endpoint",
                models.baseUri().toString(),
                "-X",
                "security.protocol=PLAINTEXT",
                "-X",
                "auto.offset.reset=earliest")
            .redirectErrorStream(true)
            .redirectOutput(log);
    worker.environment().put("JAVA_HOME", System.getProperty("java.home"));
    long started = System.nanoTime();
    Process process = worker.start();
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      while (flow.waiting() > 0) {
        flow.look(LOOK);
        if (!process.isAlive() || System.nanoTime() - started > PATIENCE.toNanos()) {
          throw new IllegalStateException("the worker has no result; its output is in " + log);
        }
      }
      double cpu = process.info().totalCpuDuration().map(used -> used.toMillis() / 1e3).orElse(0.0);
      return new Start((System.nanoTime() - started) / 1e9, cpu);
    } finally {
      process.destroy();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }
}
