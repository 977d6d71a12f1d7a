package dev.abacus.deploy.cluster;

import dev.abacus.optimizer.api.LearnedOperators;
import dev.abacus.schemas.control.BillFold;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.observation.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.AuthorizationException;

/** Reads topics from their beginnings to their present ends. */
public final class TopicReader {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private TopicReader() {}

  /**
   * Reads the records, in the order of each partition.
   *
   * @throws org.apache.kafka.common.errors.TimeoutException if nothing arrives for 15 s
   */
  static void read(
      KafkaConnection connection,
      String topic,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      TopicRange.all(consumer, topic).read(consumer, PATIENCE, visitor);
    }
  }

  /** As {@link #read}; nothing if the topic does not exist or this user may not describe it. */
  static void readPresent(
      KafkaConnection connection,
      String topic,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    if (connection.topics().contains(topic)) {
      read(connection, topic, visitor);
    }
  }

  /** The values of a topic as JSON records. What cannot be read is left out: it may be newer. */
  private static <T> List<T> values(KafkaConnection connection, String topic, Class<T> type) {
    List<T> values = new ArrayList<>();
    read(
        connection,
        topic,
        record -> {
          T value = Json.find(record.value(), type);
          if (value != null) {
            values.add(value);
          }
        });
    return values;
  }

  /** The last status reports of workers and optimizer; empty if the topic does not exist. */
  public static StatusReports status(KafkaConnection connection) {
    // Most records are replaced by later ones.
    Map<String, ConsumerRecord<byte[], byte[]>> last = new HashMap<>();
    readPresent(
        connection,
        connection.names().status(),
        record -> last.put(RecordText.key(record), record));
    StatusReports status = new StatusReports();
    last.values().forEach(status::accept);
    return status;
  }

  /** What the searches of all programs have learned. */
  public static LearnedOperators learned(KafkaConnection connection) {
    String topic = connection.names().learnt();
    connection.requireTopics(List.of(topic));
    LearnedOperators learned = new LearnedOperators();
    read(connection, topic, record -> learned.apply(record.key(), record.value()));
    return learned;
  }

  /** All observations of a program. */
  public static List<Observation> observations(KafkaConnection connection, String program) {
    String topic = connection.names().observations(program);
    connection.requireTopics(List.of(topic));
    return values(connection, topic, Observation.class);
  }

  /**
   * What a program spent, each record as it was written last.
   *
   * @param since hours before it may be missing; clocks may differ by an hour
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static List<BillRecord> bills(KafkaConnection connection, String program, Instant since) {
    String topic = connection.names().spending();
    connection.requireTopics(List.of(topic));
    BillFold fold = new BillFold();
    long time = since.minus(Duration.ofHours(1)).toEpochMilli();
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      TopicRange.all(consumer, topic).since(consumer, time).read(consumer, PATIENCE, fold::accept);
    }
    return fold.of(program);
  }

  /**
   * The journeys of a program; empty if no worker records any, or if this user may not read them.
   */
  public static List<Journey> journeys(KafkaConnection connection, String program) {
    String topic = connection.names().journeys(program);
    try {
      return connection.topics().contains(topic)
          ? values(connection, topic, Journey.class)
          : List.of();
    } catch (AuthorizationException e) {
      return List.of();
    }
  }
}
