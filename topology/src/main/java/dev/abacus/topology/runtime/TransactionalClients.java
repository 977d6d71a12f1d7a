package dev.abacus.topology.runtime;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The usual clients of Kafka Streams, with producers that report the end of their transactions.
 * With {@code exactly_once_v2} each stream thread has one producer and uses it alone.
 *
 * @param commits receives the reports
 */
public record TransactionalClients(Commits commits) implements KafkaClientSupplier {

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new ReportingProducer(config, commits);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  private static final class ReportingProducer extends KafkaProducer<byte[], byte[]> {
    private final Commits commits;

    ReportingProducer(Map<String, Object> config, Commits commits) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.commits = commits;
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      commits.committed();
    }

    @Override
    public void abortTransaction() {
      commits.aborted();
      super.abortTransaction();
    }

    @Override
    public void close(Duration timeout) {
      commits.aborted();
      super.close(timeout);
    }
  }
}
