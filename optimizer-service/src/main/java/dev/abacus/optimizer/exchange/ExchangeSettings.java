package dev.abacus.optimizer.exchange;

import dev.abacus.optimizer.loop.LoopSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How the control plane meets Kafka.
 *
 * @param clientProperties of consumer, producer, admin client and Avro deserializer
 * @param replicationFactor of topics that are created; -1 for the brokers' default
 * @param samplePartitions of the topic of samples; -1 for as many as the program's source has
 * @param statusInterval how often the state is reported although nothing changed
 * @param loop what the loops of all programs share
 */
public record ExchangeSettings(
    Map<String, Object> clientProperties,
    short replicationFactor,
    int samplePartitions,
    Duration statusInterval,
    LoopSettings loop) {

  /** Every control plane of a cluster has the same, so that a second one fences the first. */
  public static final String TRANSACTIONAL_ID = "abacus-optimizer";

  private static final int LARGEST_REQUEST = 16 << 20;

  public ExchangeSettings {
    clientProperties = Map.copyOf(clientProperties);
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

  Map<String, Object> producerProperties() {
    return with(
        Map.of(
            "transactional.id", TRANSACTIONAL_ID,
            "enable.idempotence", "true",
            "acks", "all",
            "compression.type", "gzip",
            "max.request.size", Integer.toString(LARGEST_REQUEST)));
  }

  private Map<String, Object> with(Map<String, Object> others) {
    Map<String, Object> properties = new HashMap<>(clientProperties);
    properties.putAll(others);
    return properties;
  }
}
