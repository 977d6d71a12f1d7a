package dev.abacus.schemas.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients whose keys and values are bytes. */
public final class ByteClients {

  private ByteClients() {}

  /** A consumer with exactly these properties. */
  public static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> properties) {
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A producer with exactly these properties. */
  public static KafkaProducer<byte[], byte[]> producer(Map<String, Object> properties) {
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Properties of a consumer without a group: it reads committed records and commits nothing. */
  public static Map<String, Object> following(Map<String, Object> connection) {
    Map<String, Object> properties = new HashMap<>(connection);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return properties;
  }

  /** Properties of a producer whose records all replicas in sync have, each once. */
  public static Map<String, Object> durable(Map<String, Object> connection) {
    Map<String, Object> properties = new HashMap<>(connection);
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    return properties;
  }
}
