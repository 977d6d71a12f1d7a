package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.local.ChildJvm;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.topology.WorkerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The worker processes of one measurement; closing kills them. */
final class WorkerProcesses implements AutoCloseable {

  private final Path folder;
  private final String bootstrapServers;
  private final String models;
  private final Map<String, String> properties;
  private final List<ChildJvm> started = new ArrayList<>();

  WorkerProcesses(
      DataFolder folder,
      LocalKafka kafka,
      SimulatedEndpoint models,
      int inFlight,
      Map<String, String> properties) {
    this.folder = folder.path();
    this.bootstrapServers = kafka.bootstrapServers();
    this.models = models.baseUri().toString();
    this.properties = new TreeMap<>(properties);
    this.properties.keySet().removeIf(key -> key.startsWith("optimizer."));
    this.properties.putIfAbsent(WorkerConfig.IN_FLIGHT, String.valueOf(inFlight));
    this.properties.putIfAbsent("auto.offset.reset", "earliest");
  }

  /** Starts a worker; a worker with an earlier name reuses its state directory. */
  ChildJvm start(String name) {
    ChildJvm worker =
        CommandProcess.start(
            name,
            folder,
            List.of(
                "worker",
                "--bootstrap-server",
                bootstrapServers,
                "--data",
                folder.resolve(name).toString(),
                "--instance",
                name,
                "--model-endpoint",
                models),
            properties);
    started.add(worker);
    return worker;
  }

  @Override
  public void close() {
    started.forEach(ChildJvm::kill);
  }
}
