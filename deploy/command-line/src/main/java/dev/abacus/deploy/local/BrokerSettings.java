package dev.abacus.deploy.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.tools.StorageTool;

/**
 * Settings of one combined broker and controller of a local cluster.
 *
 * @param node node id, from 1
 * @param ports client ports of the cluster, one per node
 * @param controllerPorts controller ports of the cluster, one per node
 * @param data data folder of this node
 */
record BrokerSettings(int node, List<Integer> ports, List<Integer> controllerPorts, Path data) {

  /** Constant, so that a data folder can be reused and all nodes agree. */
  private static final String CLUSTER_ID = "YWJhY3VzLWxvY2FsLWthZg";

  BrokerSettings {
    ports = List.copyOf(ports);
    controllerPorts = List.copyOf(controllerPorts);
  }

  static String bootstrapServers(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /**
   * Formats the data folder as a Kafka log directory unless it is formatted already.
   *
   * @param overrides properties that replace those of this node
   * @return the file of all properties, with which the broker can be started
   */
  Path format(Map<String, String> overrides) {
    Path file = data.resolve("server.properties");
    Properties properties = properties();
    properties.putAll(overrides);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    String[] arguments = {
      "format", "--ignore-formatted", "--cluster-id", CLUSTER_ID, "--config", file.toString()
    };
    int exit =
        StorageTool.execute(arguments, new PrintStream(output, true, StandardCharsets.UTF_8));
    if (exit != 0) {
      throw new LocalServiceException(
          "Kafka cannot use the folder %s: %s"
              .formatted(data, output.toString(StandardCharsets.UTF_8).strip()),
          null);
    }
    return file;
  }

  /** Those of every local broker, from {@code broker.properties}, and those of this node. */
  Properties properties() {
    Properties properties = new Properties();
    try (InputStream common = BrokerSettings.class.getResourceAsStream("broker.properties")) {
      properties.load(Objects.requireNonNull(common));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    identity(properties);
    replication(properties);
    return properties;
  }

  private void identity(Properties properties) {
    String listeners =
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(ports.get(node - 1), controllerPorts.get(node - 1));
    String voters =
        IntStream.range(0, controllerPorts.size())
            .mapToObj(i -> "%d@127.0.0.1:%d".formatted(i + 1, controllerPorts.get(i)))
            .collect(Collectors.joining(","));
    properties.put("node.id", Integer.toString(node));
    properties.put("listeners", listeners);
    properties.put("advertised.listeners", listeners.substring(0, listeners.indexOf(',')));
    properties.put("controller.quorum.voters", voters);
    properties.put("log.dirs", data.resolve("log").toString());
  }

  private void replication(Properties properties) {
    String factor = Integer.toString(Math.min(3, ports.size()));
    String minimum = ports.size() >= 3 ? "2" : "1";
    properties.put("default.replication.factor", factor);
    properties.put("min.insync.replicas", minimum);
    properties.put("offsets.topic.replication.factor", factor);
    properties.put("transaction.state.log.replication.factor", factor);
    properties.put("transaction.state.log.min.isr", minimum);
    properties.put("share.coordinator.state.topic.replication.factor", factor);
    properties.put("share.coordinator.state.topic.min.isr", minimum);
  }
}
