package dev.abacus.deploy.local;

import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker in this JVM (KRaft, no authentication, loopback only). Starts in about two seconds
 * and needs about 200 MB. Topics are not created automatically; they have four partitions by
 * default. Groups rebalance without delay.
 *
 * <pre>{@code
 * try (LocalKafka kafka = LocalKafka.start()) {
 *   properties.put("bootstrap.servers", kafka.bootstrapServers());
 * }
 * }</pre>
 */
public final class LocalKafka implements AutoCloseable {

  private static final int ATTEMPTS = 3;

  private final KafkaRaftServer server;
  private final int port;
  private final DataFolder data;

  private LocalKafka(KafkaRaftServer server, int port, DataFolder data) {
    this.server = server;
    this.port = port;
    this.data = data;
  }

  /** Starts a broker on any free port, with a temporary folder. */
  public static LocalKafka start() {
    return start(0, null);
  }

  /**
   * Starts a broker and waits until it is ready.
   *
   * @param port client port; 0 for any free port
   * @param folder of the topics, kept after {@link #close}; null for a temporary folder
   * @throws LocalServiceException if it does not start, for instance because the port is in use
   */
  public static LocalKafka start(int port, @Nullable Path folder) {
    int attempts = port == 0 ? ATTEMPTS : 1;
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(port, folder);
      } catch (LocalServiceException e) {
        // Another process may take the free port before the broker listens on it.
        if (attempt == attempts || !(e.getCause() instanceof BindException)) {
          throw e;
        }
      }
    }
  }

  private static LocalKafka attempt(int wanted, @Nullable Path folder) {
    List<Integer> free = Ports.free(2);
    int port = wanted == 0 ? free.getFirst() : Ports.requireFree(wanted, "Kafka");
    DataFolder data = DataFolder.of(folder, "kafka");
    BrokerSettings broker =
        new BrokerSettings(1, List.of(port), List.of(free.getLast()), data.path());
    KafkaRaftServer server = null;
    try {
      broker.format(Map.of());
      server = new KafkaRaftServer(KafkaConfig.fromProps(broker.properties()), Time.SYSTEM);
      server.startup();
      return new LocalKafka(server, port, data);
    } catch (RuntimeException e) {
      if (server != null) {
        server.shutdown();
      }
      data.close();
      throw e instanceof LocalServiceException it ? it : failure(port, e);
    }
  }

  private static LocalServiceException failure(int port, RuntimeException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new LocalServiceException(
        "Kafka did not start on port %d: %s".formatted(port, root.getMessage()), root);
  }

  /** Host and port of the broker. */
  public String bootstrapServers() {
    return BrokerSettings.bootstrapServers(List.of(port));
  }

  /** Shuts the broker down and deletes temporary data. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
    data.close();
  }
}
