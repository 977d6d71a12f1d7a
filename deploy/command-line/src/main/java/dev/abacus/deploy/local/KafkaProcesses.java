package dev.abacus.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Kafka cluster of one JVM per broker, each of which can be killed and started again. Like {@link
 * LocalKafka}, but for tests of failures.
 */
public final class KafkaProcesses implements AutoCloseable {

  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Path folder;
  private final List<Integer> ports;
  private final List<Integer> controllerPorts;
  private final Map<String, String> overrides;
  private final List<ChildJvm> brokers = new ArrayList<>();

  private KafkaProcesses(Path folder, int count, Map<String, String> overrides) {
    List<Integer> free = Ports.free(2 * count);
    this.folder = folder;
    this.ports = free.subList(0, count);
    this.controllerPorts = free.subList(count, 2 * count);
    this.overrides = Map.copyOf(overrides);
  }

  /**
   * Starts a cluster; returns before it is ready.
   *
   * @param folder folder of data and logs
   * @param count number of brokers, each of which is a controller too; 1 or 3
   * @param overrides broker properties that replace the defaults
   * @throws LocalServiceException if a JVM cannot be started
   */
  public static KafkaProcesses start(Path folder, int count, Map<String, String> overrides) {
    KafkaProcesses cluster = new KafkaProcesses(folder, count, overrides);
    for (int node = 1; node <= count; node++) {
      cluster.brokers.add(cluster.broker(node));
    }
    return cluster;
  }

  private ChildJvm broker(int node) {
    Path data = folder.resolve("broker-" + node);
    try {
      Files.createDirectories(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path file = new BrokerSettings(node, ports, controllerPorts, data).format(overrides);
    return ChildJvm.start(
        "broker-" + node,
        folder,
        JVM_OPTIONS,
        System.getProperty("java.class.path"),
        "kafka.Kafka",
        List.of(file.toString()));
  }

  /** Hosts and ports of all brokers. */
  public String bootstrapServers() {
    return BrokerSettings.bootstrapServers(ports);
  }

  /** Number of brokers. */
  public int count() {
    return ports.size();
  }

  /** Kills a broker as kill -9 does. Nodes count from 1. */
  public void kill(int node) {
    brokers.get(node - 1).kill();
  }

  /** Starts a killed broker on its data. */
  public void restart(int node) {
    brokers.set(node - 1, broker(node));
  }

  @Override
  public void close() {
    brokers.forEach(ChildJvm::kill);
  }
}
