package dev.abacus.topology.replay;

import dev.abacus.schemas.kafka.ByteClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads single records of topics by their offsets, without a group. Connects with the first read.
 * Thread-safe; one read at a time.
 */
public final class SourceRecords implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

  private final Map<String, Object> properties;
  private @Nullable Consumer<byte[], byte[]> consumer;
  private boolean closed;

  /** Reads with these client properties. */
  public SourceRecords(Map<String, Object> clientProperties) {
    properties = ByteClients.following(clientProperties);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    // One record is wanted; Kafka returns a larger batch if its first one is larger.
    properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
  }

  /**
   * A record; null if the topic no longer has it.
   *
   * @throws KafkaException if the topic cannot be read within 10 s
   */
  synchronized @Nullable ConsumerRecord<byte[], byte[]> read(TopicPartition partition, long offset)
      throws InterruptedException {
    if (closed) {
      throw new InterruptedException("the reader of sources is closed");
    }
    if (consumer == null) {
      consumer = ByteClients.consumer(properties);
    }
    try {
      return read(consumer, partition, offset);
    } catch (InterruptException e) {
      Thread.interrupted();
      throw new InterruptedException(e.getMessage());
    }
  }

  private static @Nullable ConsumerRecord<byte[], byte[]> read(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long offset) {
    consumer.assign(List.of(partition));
    if (offset >= consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L)) {
      return null; // Of a topic that was created again.
    }
    consumer.seek(partition, offset);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return record.offset() == offset ? record : null;
      }
      if (consumer.position(partition) > offset) {
        return null; // Compaction or an aborted transaction left nothing up to the end.
      }
    }
    throw new KafkaException("no record of %s within 10 s".formatted(partition));
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (consumer != null) {
      consumer.close();
    }
  }
}
