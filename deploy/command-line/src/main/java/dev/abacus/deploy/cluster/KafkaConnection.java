package dev.abacus.deploy.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach a Kafka cluster.
 *
 * @param properties of Kafka's clients, {@code bootstrap.servers} among them
 */
public record KafkaConnection(Map<String, String> properties) {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  public KafkaConnection {
    properties = Map.copyOf(properties);
  }

  /** A connection that needs nothing but an address. */
  public static KafkaConnection to(String bootstrapServers) {
    return new KafkaConnection(
        Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  public String bootstrapServers() {
    return properties.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
  }

  /**
   * Makes sure that the cluster answers.
   *
   * @throws OperationFailedException if it does not within seconds
   */
  public void check() {
    var _ = ask(admin -> admin.describeCluster().clusterId().get());
  }

  /** A question to the cluster. */
  @FunctionalInterface
  private interface Query<T> {
    T ask(Admin admin) throws ExecutionException, InterruptedException;
  }

  private <T> T ask(Query<T> query) {
    try (Admin admin = admin()) {
      return query.ask(admin);
    } catch (KafkaException e) {
      throw unreachable(e);
    } catch (ExecutionException e) {
      throw unreachable(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(e);
    }
  }

  private OperationFailedException unreachable(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new OperationFailedException(
        "Kafka at %s cannot be used: %s".formatted(bootstrapServers(), root.getMessage()),
        "Check that it runs and that --bootstrap-server, --command-config and -X fit it; `abacus up` starts one here.",
        cause);
  }

  /**
   * Makes sure that topics are there.
   *
   * @throws OperationFailedException if the cluster does not answer or one is missing
   */
  public void requireTopics(Collection<String> topics) {
    Set<String> missing = new TreeSet<>(topics);
    missing.removeAll(topics());
    if (!missing.isEmpty()) {
      throw new OperationFailedException(
          "Kafka at %s has no topic %s".formatted(bootstrapServers(), String.join(", ", missing)),
          "Create what is missing with `abacus topics create PROGRAM.yaml`.");
    }
  }

  /**
   * Names of all topics.
   *
   * @throws OperationFailedException if the cluster does not answer
   */
  public Set<String> topics() {
    return ask(admin -> admin.listTopics().names().get());
  }

  /**
   * Where partitions end now, records of transactions that are still open included.
   *
   * @throws OperationFailedException if the cluster does not answer
   */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    ask(admin -> admin.listOffsets(wanted).all().get())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /** An administration client. */
  public Admin admin() {
    Map<String, Object> all = with(Map.of());
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 2);
    return Admin.create(all);
  }

  /** A consumer of committed records that commits nothing unless it is told a group. */
  public Consumer<byte[], byte[]> consumer(Map<String, Object> overrides) {
    Map<String, Object> all =
        with(
            Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) PATIENCE.toMillis()));
    all.putAll(overrides);
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A producer whose records are safe once acknowledged. */
  public Producer<byte[], byte[]> producer(Map<String, Object> overrides) {
    Map<String, Object> all =
        with(
            Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                5,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                PATIENCE.toMillis()));
    all.putAll(overrides);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Map<String, Object> with(Map<String, Object> defaults) {
    Map<String, Object> all = new HashMap<>(defaults);
    all.putAll(properties);
    return all;
  }

  /** The properties in order, for printing; secrets are masked. */
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.replaceAll(
        (key, value) -> key.contains("password") || key.contains("jaas") ? "…" : value);
    return shown.toString();
  }
}
