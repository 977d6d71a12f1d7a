package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RedactingInterceptor;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import dev.abacus.schemas.secret.Redactor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Settings of the control plane on Kafka.
 *
 * @param clientProperties of consumers, producer, admin client and Avro deserializer
 * @param topics settings of topics that are created
 * @param statusInterval longest time between two status reports
 * @param sessionTimeout longest time until a dead leader is replaced
 * @param examples settings of validation examples
 * @param governor settings of all governors
 * @param loop settings of all loops
 */
public record KafkaSettings(
    Map<String, Object> clientProperties,
    TopicDefaults topics,
    Duration statusInterval,
    Duration sessionTimeout,
    ExampleSettings examples,
    GovernorSettings governor,
    LoopSettings loop) {

  private static final int LARGEST_REQUEST = 16 << 20;

  /** {@code group.min.session.timeout.ms} of brokers, by default. */
  private static final long LEAST_SESSION_MILLIS = 6_000;

  public KafkaSettings {
    clientProperties = Map.copyOf(clientProperties);
  }

  /** Names of topics, groups and transactional ids. */
  KafkaNames names() {
    return KafkaNames.of(clientProperties);
  }

  Map<String, Object> consumerProperties() {
    return with(
        Map.of(
            "isolation.level", "read_committed",
            "auto.offset.reset", "earliest",
            "enable.auto.commit", "false",
            "allow.auto.create.topics", "false",
            "max.poll.records", "2000"));
  }

  /** Of consumers of sources: all searches wait for an answer of theirs, up to 5 s. */
  Map<String, Object> sourceProperties() {
    Map<String, Object> properties = consumerProperties();
    properties.put("default.api.timeout.ms", "5000");
    properties.put("request.timeout.ms", "5000");
    return properties;
  }

  /** Of the consumer whose group elects the leader ({@link Leadership}). */
  Map<String, Object> leadershipProperties() {
    Map<String, Object> properties = consumerProperties();
    properties.put("group.id", names().optimizer());
    // The leader keeps the partition when another control plane joins.
    properties.put(
        "partition.assignment.strategy",
        "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
    // The next leader learns of its election one heartbeat after the group has removed the dead
    // one, and then reads all topics. Both have to fit into the promised time.
    long promised = sessionTimeout.toMillis();
    long session = Math.max(Math.min(promised, LEAST_SESSION_MILLIS), promised * 7 / 10);
    properties.put("session.timeout.ms", Long.toString(session));
    properties.put("heartbeat.interval.ms", Long.toString(promised / 10));
    return properties;
  }

  Map<String, Object> producerProperties() {
    Redactor redactor =
        ConfiguredSecrets.redactor(clientProperties, loop.catalogue(), System::getenv);
    Map<String, Object> properties =
        with(RedactingInterceptor.properties(redactor, clientProperties));
    properties.putAll(
        Map.of(
            "transactional.id", names().optimizer(),
            "enable.idempotence", "true",
            "acks", "all",
            "compression.type", "gzip",
            "max.request.size", Integer.toString(LARGEST_REQUEST)));
    return properties;
  }

  private Map<String, Object> with(Map<String, Object> others) {
    Map<String, Object> properties = new HashMap<>(clientProperties);
    properties.putAll(others);
    return properties;
  }

  /**
   * Settings of topics that are created.
   *
   * @param replicationFactor -1 for the brokers' default
   * @param samplePartitions partitions of the sample topic; -1 for the number of partitions of the
   *     program's source
   */
  public record TopicDefaults(short replicationFactor, int samplePartitions) {}

  /**
   * Settings of validation examples.
   *
   * @param fromSource number of source documents that are the examples of a program without
   *     validation examples; 0 for none
   * @param after time that the optimizer waits for validation examples first
   * @param fewShot whether prompts and plans may contain labelled examples
   */
  public record ExampleSettings(int fromSource, Duration after, boolean fewShot) {}
}
