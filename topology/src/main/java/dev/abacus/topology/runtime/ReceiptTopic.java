package dev.abacus.topology.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps receipts in a topic: the key is the hash of the request, the value the answer. They are
 * written outside the transactions of Kafka Streams, so that an aborted transaction keeps them, and
 * read only when a task is opened with pending records. The topic needs as many partitions as the
 * input of the tasks.
 *
 * <p>Thread-safe. The process has one instance and closes it after Kafka Streams.
 */
public final class ReceiptTopic implements ReceiptLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiptTopic.class);

  /** Largest difference between the clocks of two instances. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(10);

  private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
  private static final long LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long RETRY_NANOS = Duration.ofSeconds(10).toNanos();

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final RuntimeListener listener;
  private final Duration readTimeout;
  private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - LOG_INTERVAL_NANOS);
  private final AtomicLong retryAt = new AtomicLong(System.nanoTime());

  ReceiptTopic(
      String topic,
      Producer<byte[], byte[]> producer,
      Supplier<Consumer<byte[], byte[]>> consumers,
      RuntimeListener listener,
      Duration readTimeout) {
    this.topic = topic;
    this.producer = producer;
    this.consumers = consumers;
    this.listener = listener;
    this.readTimeout = readTimeout;
  }

  /**
   * Connects to a topic.
   *
   * @param clientProperties connection properties: bootstrap servers, security
   * @param largestMessage size of the largest receipt in bytes; larger ones are not written
   */
  public static ReceiptTopic open(
      String topic,
      Map<String, Object> clientProperties,
      int largestMessage,
      RuntimeListener listener) {
    Map<String, Object> writing = new HashMap<>(clientProperties);
    writing.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    writing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    writing.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1000);
    writing.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    writing.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
    writing.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largestMessage);
    Map<String, Object> reading = new HashMap<>(clientProperties);
    reading.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    reading.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    reading.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(READ_TIMEOUT.toMillis()));
    return new ReceiptTopic(
        topic,
        new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer()),
        () ->
            new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        listener,
        READ_TIMEOUT);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
  public void write(int partition, String requestHash, byte[] response) {
    // A producer without a connection blocks for a second. Only one worker should wait for it.
    if (System.nanoTime() - retryAt.get() < 0) {
      listener.receiptFailed();
      return;
    }
    try {
      producer.send(
          new ProducerRecord<>(
              topic, partition, requestHash.getBytes(StandardCharsets.UTF_8), response),
          (metadata, failure) -> written(failure));
    } catch (RuntimeException e) {
      retryAt.set(System.nanoTime() + RETRY_NANOS);
      failed("write", e);
    }
  }

  // Kafka passes null on success.
  private void written(@Nullable Exception failure) {
    if (failure == null) {
      listener.receiptWritten();
    } else {
      failed("write", failure);
    }
  }

  @Override
  public Snapshot snapshot(int partition, Instant since) {
    ReceiptTopicSnapshot snapshot =
        new ReceiptTopicSnapshot(
            new TopicPartition(topic, partition), since.minus(CLOCK_SKEW), readTimeout, consumers);
    Thread.ofVirtual()
        .name("abacus-receipts-" + partition)
        .start(() -> {
          try {
            snapshot.read();
          } catch (RuntimeException e) {
            failed("read", e);
          }
        });
    return snapshot;
  }

  private void failed(String what, Exception cause) {
    listener.receiptFailed();
    long last = loggedAt.get();
    long now = System.nanoTime();
    if (now - last >= LOG_INTERVAL_NANOS && loggedAt.compareAndSet(last, now)) {
      LOG.warn(
          "Cannot {} receipts of topic {}; a crash may repeat calls that are paid for",
          what,
          topic,
          cause);
    }
  }

  /** Sends the remaining receipts; waits for up to five seconds. */
  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
