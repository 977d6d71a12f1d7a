package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.state.ProgramState;
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
 * @param sessionTimeout within which a leader that died is replaced
 * @param streamExamples documents of its sources that a program without validation examples is
 *     sampled on; 0 for none
 * @param streamExamplesAfter how long such a program is waited for
 * @param governor how quick governors are
 * @param loop what the loops of all programs share
 */
public record ExchangeSettings(
    Map<String, Object> clientProperties,
    short replicationFactor,
    int samplePartitions,
    Duration statusInterval,
    Duration sessionTimeout,
    int streamExamples,
    Duration streamExamplesAfter,
    GovernorSettings governor,
    LoopSettings loop) {

  /** Every control plane of a cluster has the same, so that a second one fences the first. */
  public static final String TRANSACTIONAL_ID = "abacus-optimizer";

  private static final int LARGEST_REQUEST = 16 << 20;

  /** Brokers refuse less, unless they are told otherwise. */
  private static final long LEAST_SESSION_MILLIS = 6_000;

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

  /** Of the consumer whose group elects the leader. */
  Map<String, Object> leadershipProperties() {
    Map<String, Object> properties = consumerProperties();
    properties.put("group.id", TRANSACTIONAL_ID);
    // Who leads keeps leading when another one comes.
    properties.put(
        "partition.assignment.strategy",
        "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
    // The successor is told a heartbeat after the group has given the dead one up, and then reads
    // all topics. All of it is to be over within the session timeout.
    long promised = sessionTimeout.toMillis();
    long session = Math.max(Math.min(promised, LEAST_SESSION_MILLIS), promised * 7 / 10);
    properties.put("session.timeout.ms", Long.toString(session));
    properties.put("heartbeat.interval.ms", Long.toString(promised / 10));
    return properties;
  }

  /** Begins the ids of examples that were copied from a source. */
  String copyPrefix() {
    return ProgramState.COPIED_EXAMPLE;
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
