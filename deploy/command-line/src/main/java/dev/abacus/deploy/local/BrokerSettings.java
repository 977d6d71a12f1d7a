package dev.abacus.deploy.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** Formats the data folder as a Kafka log directory unless it is formatted already. */
  void format() {
    Path file = data.resolve("format.properties");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties().store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
  }

  Properties properties() {
    Properties properties = new Properties();
    identity(properties);
    replication(properties);
    quickGroups(properties);
    smallFootprint(properties);
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
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", Integer.toString(node));
    properties.put("listeners", listeners);
    properties.put("advertised.listeners", listeners.substring(0, listeners.indexOf(',')));
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("controller.quorum.voters", voters);
    properties.put("log.dirs", data.resolve("log").toString());
    // Using a misspelt topic must fail instead of creating the topic.
    properties.put("auto.create.topics.enable", "false");
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

  private static void quickGroups(Properties properties) {
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("group.streams.initial.rebalance.delay.ms", "0");
    properties.put("group.min.session.timeout.ms", "1000");
    for (String protocol : List.of("consumer", "streams")) {
      properties.put("group." + protocol + ".min.heartbeat.interval.ms", "200");
      properties.put("group." + protocol + ".heartbeat.interval.ms", "500");
      properties.put("group." + protocol + ".min.session.timeout.ms", "1000");
    }
  }

  private static void smallFootprint(Properties properties) {
    properties.put("num.partitions", "4");
    properties.put("offsets.topic.num.partitions", "4");
    properties.put("transaction.state.log.num.partitions", "4");
    properties.put("share.coordinator.state.topic.num.partitions", "1");
    properties.put("num.network.threads", "2");
    properties.put("num.io.threads", "4");
    properties.put("background.threads", "2");
    properties.put("num.recovery.threads.per.data.dir", "1");
    properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    properties.put("log.index.size.max.bytes", Integer.toString(1 << 20));
  }
}
