package dev.abacus.topology.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the receipts of one partition from a time to the end that the partition has when reading
 * starts. Lookups wait until then. Reading stops after a bounded time; receipts that are not read
 * by then are not found.
 */
final class ReceiptTopicSnapshot implements ReceiptLog.Snapshot {

  private static final Duration POLL = Duration.ofMillis(100);

  private final TopicPartition partition;
  private final Instant since;
  private final Duration timeout;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Map<String, byte[]> receipts = new ConcurrentHashMap<>();
  private final CountDownLatch read = new CountDownLatch(1);
  private volatile boolean closed;

  ReceiptTopicSnapshot(
      TopicPartition partition,
      Instant since,
      Duration timeout,
      Supplier<Consumer<byte[], byte[]>> consumers) {
    this.partition = partition;
    this.since = since;
    this.timeout = timeout;
    this.consumers = consumers;
  }

  /** Reads the receipts. Called once. */
  void read() {
    long deadline = System.nanoTime() + timeout.toNanos();
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition), timeout).getOrDefault(partition, 0L);
      Long start = start(consumer);
      if (start != null) {
        consumer.seek(partition, start);
        while (!closed && consumer.position(partition) < end && System.nanoTime() - deadline < 0) {
          consumer.poll(POLL).forEach(this::put);
        }
      }
    } finally {
      read.countDown();
      clearIfClosed();
    }
  }

  private @Nullable Long start(Consumer<byte[], byte[]> consumer) {
    OffsetAndTimestamp first =
        consumer
            .offsetsForTimes(Map.of(partition, Math.max(0, since.toEpochMilli())), timeout)
            .get(partition);
    return first == null ? null : first.offset();
  }

  private void put(ConsumerRecord<byte[], byte[]> receipt) {
    if (receipt.key() != null && receipt.value() != null) {
      receipts.put(new String(receipt.key(), StandardCharsets.UTF_8), receipt.value());
    }
  }

  @Override
  public byte @Nullable [] find(String requestHash) {
    try {
      if (!read.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        return null;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    return receipts.get(requestHash);
  }

  @Override
  public void close() {
    closed = true;
    clearIfClosed();
  }

  private void clearIfClosed() {
    if (closed) {
      receipts.clear();
    }
  }
}
