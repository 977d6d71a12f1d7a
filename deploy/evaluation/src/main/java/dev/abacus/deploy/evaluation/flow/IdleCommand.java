package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.local.ChildJvm;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench idle}: the CPU time of a worker and an optimizer, each in a JVM of its own,
 * while no document arrives. It hardly depends on what else runs on the machine.
 */
@Command(
    name = "idle",
    description = {
      "Measure the CPU time of a worker and an optimizer without documents, as a share of a "
          + "core, for different numbers of programs.",
      "Every program has processed a document before. Processes run in separate JVMs."
    },
    footer = "  abacus bench idle --programs 1,100 -o json")
public final class IdleCommand extends BenchmarkCommand<List<IdleCommand.Idle>> {

  @Option(
      names = "--programs",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,3,100",
      description = "Numbers of programs (default: ${DEFAULT-VALUE}).")
  private List<Integer> programs = List.of();

  @Option(
      names = "--settle",
      defaultValue = "60s",
      description = "Time from the last result to the measurement (default: ${DEFAULT-VALUE}).")
  private Duration settle = Duration.ZERO; // the JVMs compile what they use, programs fall asleep

  @Option(
      names = "--seconds",
      defaultValue = "60s",
      paramLabel = "DURATION",
      description = "Duration of a measurement (default: ${DEFAULT-VALUE}).")
  private Duration seconds = Duration.ZERO;

  @Option(
      names = "--sleep-after",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "abacus.sleep.after.ms of the worker; 0s keeps programs awake (default: ${DEFAULT-VALUE}).")
  private Duration sleepAfter = Duration.ZERO;

  /** CPU seconds per second of each process, with a number of programs. */
  record Idle(int programs, double worker, double optimizer) {}

  @Override
  protected void check() {
    if (programs.isEmpty() || programs.stream().anyMatch(number -> number < 1)) {
      throw new IllegalArgumentException("--programs must be above 0");
    }
    if (!seconds.isPositive()) {
      throw new IllegalArgumentException("--seconds must be above 0");
    }
  }

  @Override
  protected List<Idle> measure() throws IOException, InterruptedException {
    List<Idle> measured = new ArrayList<>();
    for (int number : programs) {
      step("%d programs".formatted(number));
      measured.add(measure(number));
    }
    return measured;
  }

  private Idle measure(int number) throws IOException, InterruptedException {
    try (BenchmarkCluster cluster = new BenchmarkCluster(4);
        WorkerProcesses workers =
            WorkerProcesses.of(
                cluster,
                Duration.ofMillis(1),
                100,
                Map.of(WorkerConfig.SLEEP_AFTER_MS, String.valueOf(sleepAfter.toMillis())))) {
      ChildJvm worker = workers.start("worker");
      ChildJvm optimizer = workers.startOptimizer();
      for (int i = 1; i <= number; i++) {
        begin(cluster, new BenchmarkProgram("idle-" + i, 2), worker);
      }
      Thread.sleep(settle);
      Duration before = worker.cpuTime();
      Duration beforeOfOptimizer = optimizer.cpuTime();
      Thread.sleep(seconds);
      return new Idle(
          number,
          share(worker.cpuTime().minus(before)),
          share(optimizer.cpuTime().minus(beforeOfOptimizer)));
    }
  }

  /** Starts a program, and waits for the result of its only document. */
  private static void begin(BenchmarkCluster cluster, BenchmarkProgram program, ChildJvm worker) {
    try (PlanPublisher _ = cluster.start(program);
        DocumentFlow flow = new DocumentFlow(cluster.connection(), program)) {
      flow.awaitReady(worker);
    }
  }

  private double share(Duration cpu) {
    return (double) cpu.toNanos() / seconds.toNanos();
  }
}
