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
 * CallReceipts in a topic: the key is the request's hash, the value the answer. Written outside the
 * transactions of Kafka Streams, so that they are there when a transaction is not; read only when a
 * task is opened over pending records. The topic needs as many partitions as the tasks' input.
 *
 * <p>Thread-safe. One per process, which closes it after Kafka Streams.
 */
public final class ReceiptTopic implements ReceiptLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiptTopic.class);

  /** Clocks of instances may differ by that much. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private static final Duration LONGEST_READ = Duration.ofSeconds(10);
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long REST_NANOS = Duration.ofSeconds(10).toNanos();

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final RuntimeListener listener;
  private final Duration longestRead;
  private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - QUIET_NANOS);
  private final AtomicLong restUntil = new AtomicLong(System.nanoTime());

  ReceiptTopic(
      String topic,
      Producer<byte[], byte[]> producer,
      Supplier<Consumer<byte[], byte[]>> consumers,
      RuntimeListener listener,
      Duration longestRead) {
    this.topic = topic;
    this.producer = producer;
    this.consumers = consumers;
    this.listener = listener;
    this.longestRead = longestRead;
  }

  /**
   * Connects to a topic.
   *
   * @param clientProperties how to reach the cluster: bootstrap servers, security
   * @param largestMessage bytes of the largest receipt; larger ones are not kept
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
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(LONGEST_READ.toMillis()));
    return new ReceiptTopic(
        topic,
        new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer()),
        () ->
            new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        listener,
        LONGEST_READ);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of it
  public void write(int partition, String requestHash, byte[] response) {
    // A producer that cannot reach the topic blocks for a second; not every worker should find out.
    if (System.nanoTime() - restUntil.get() < 0) {
      listener.receiptFailed();
      return;
    }
    try {
      producer.send(
          new ProducerRecord<>(
              topic, partition, requestHash.getBytes(StandardCharsets.UTF_8), response),
          (metadata, failure) -> written(failure));
    } catch (RuntimeException e) {
      restUntil.set(System.nanoTime() + REST_NANOS);
      failed("write", e);
    }
  }

  // What Kafka passes is null in case of success.
  private void written(@Nullable Exception failure) {
    if (failure == null) {
      listener.receiptWritten();
    } else {
      failed("write", failure);
    }
  }

  @Override
  public Recall recall(int partition, Instant since) {
    RestoredReceipts recall =
        new RestoredReceipts(
            new TopicPartition(topic, partition), since.minus(MARGIN), longestRead, consumers);
    Thread.ofVirtual()
        .name("abacus-receipts-" + partition)
        .start(() -> {
          try {
            recall.read();
          } catch (RuntimeException e) {
            failed("read", e);
          }
        });
    return recall;
  }

  private void failed(String what, Exception cause) {
    listener.receiptFailed();
    long last = loggedAt.get();
    long now = System.nanoTime();
    if (now - last >= QUIET_NANOS && loggedAt.compareAndSet(last, now)) {
      LOG.warn(
          "Cannot {} receipts in {}; calls may be paid for twice after a crash",
          what,
          topic,
          cause);
    }
  }

  /** Sends what is still to be sent, for up to five seconds. */
  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
