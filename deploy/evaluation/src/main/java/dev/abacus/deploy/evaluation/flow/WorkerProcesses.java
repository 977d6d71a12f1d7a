package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.CommandProcesses;
import dev.abacus.deploy.local.ChildJvm;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The worker processes of one measurement with simulated models; closing kills them. */
final class WorkerProcesses implements AutoCloseable {

  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx300m", "-Xmn100m", "-XX:+UseSerialGC");

  private final CommandProcesses processes;
  private final SimulatedEndpoint models;
  private final Map<String, String> properties;
  private final List<ChildJvm> started = new ArrayList<>();

  /**
   * Workers that call the given models; no worker is started yet.
   *
   * @param models closed with the workers
   * @param inFlight documents in flight per worker
   * @param given properties of the workers
   */
  WorkerProcesses(
      BenchmarkCluster cluster, SimulatedEndpoint models, int inFlight, Map<String, String> given) {
    this.processes =
        new CommandProcesses(
            cluster.folder(), cluster.connection().bootstrapServers(), JVM_OPTIONS);
    this.models = models;
    this.properties = new TreeMap<>(given);
    properties.putIfAbsent(WorkerConfig.IN_FLIGHT, String.valueOf(inFlight));
    properties.putIfAbsent("auto.offset.reset", "earliest");
  }

  /**
   * Workers with models that answer after {@code latency}.
   *
   * @throws IOException if the simulated models cannot start
   */
  static WorkerProcesses of(
      BenchmarkCluster cluster, Duration latency, int inFlight, Map<String, String> given)
      throws IOException {
    return new WorkerProcesses(
        cluster,
        SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(latency)),
        inFlight,
        given);
  }

  /** Starts a worker; a worker with an earlier name reuses its state directory. */
  ChildJvm start(String name) {
    ChildJvm worker =
        processes.worker(name, CommandProcesses.thisVersion(), models.baseUri(), properties);
    started.add(worker);
    return worker;
  }

  /** Starts an optimizer beside the workers. */
  ChildJvm startOptimizer() {
    ChildJvm optimizer = processes.optimizer("optimizer", CommandProcesses.thisVersion(), Map.of());
    started.add(optimizer);
    return optimizer;
  }

  /** Returns what the models count: calls, and those with the same request as an earlier one. */
  JsonNode statistics() {
    return models.statistics();
  }

  @Override
  public void close() {
    started.forEach(ChildJvm::kill);
    models.close();
  }
}
