package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.TopicRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a topic from its beginning to its present end. */
final class TopicReader {

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

  /** The values of a topic as JSON records. What cannot be read is left out: it may be newer. */
  static <T> List<T> values(KafkaConnection connection, String topic, Class<T> type) {
    List<T> values = new ArrayList<>();
    read(
        connection,
        topic,
        record -> {
          try {
            if (record.value() != null) {
              values.add(Json.read(record.value(), type));
            }
          } catch (MalformedRecordException e) {
            // Probably of a newer version.
          }
        });
    return values;
  }
}
