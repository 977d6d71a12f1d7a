package dev.abacus.optimizer.kafka;

import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The Kafka clients of one session, closed together without waiting for a lost broker. */
record Connections(
    Admin admin, Producer<byte[], byte[]> producer, Consumer<byte[], byte[]> consumer)
    implements AutoCloseable {

  private static final Duration CLOSE = Duration.ofSeconds(5);

  static Connections open(ExchangeSettings settings) {
    Admin admin = Admin.create(settings.clientProperties());
    try {
      Producer<byte[], byte[]> producer =
          new KafkaProducer<>(
              settings.producerProperties(), new ByteArraySerializer(), new ByteArraySerializer());
      try {
        return new Connections(
            admin,
            producer,
            new KafkaConsumer<>(
                settings.consumerProperties(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer()));
      } catch (RuntimeException e) {
        producer.close(Duration.ZERO);
        throw e;
      }
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      consumer.close(CloseOptions.timeout(CLOSE));
    } finally {
      producer.close(CLOSE);
      admin.close(CLOSE);
    }
  }
}
