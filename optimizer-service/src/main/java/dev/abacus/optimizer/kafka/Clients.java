package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.kafka.ByteClients;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** The Kafka clients of one session. */
record Clients(
    Consumer<byte[], byte[]> consumer, Producer<byte[], byte[]> producer, TopicCreator topics)
    implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Creates the clients; connects in the background. */
  static Clients open(KafkaSettings settings, RoleAccess access) {
    TopicCreator topics =
        TopicCreator.of(Admin.create(settings.clientProperties()), settings, access);
    try {
      Producer<byte[], byte[]> producer = ByteClients.producer(settings.producerProperties());
      try {
        return new Clients(consumer(settings), producer, topics);
      } catch (RuntimeException e) {
        producer.close(Duration.ZERO);
        throw e;
      }
    } catch (RuntimeException e) {
      topics.close();
      throw e;
    }
  }

  /** A consumer of committed records without a group. */
  static Consumer<byte[], byte[]> consumer(KafkaSettings settings) {
    return ByteClients.consumer(settings.consumerProperties());
  }

  /** Closes all clients; waits at most 5 s for each. */
  @Override
  public void close() {
    try {
      consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    } finally {
      producer.close(CLOSE_TIMEOUT);
      topics.close();
    }
  }
}
