package dev.abacus.topology.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the receipts of one partition from an offset to the end that the partition has when reading
 * starts, and further while a call that was handed over is not ended. Lookups wait until then.
 */
final class ReceiptTopicSnapshot implements ReceiptLog.Snapshot {

  private static final Duration POLL = Duration.ofMillis(100);

  /** Time to read to the end of the partition after which Kafka counts as away. */
  private static final Duration OUTAGE = Duration.ofSeconds(1);

  /** What the topic states of a request. */
  private sealed interface Entry {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(byte[] response) implements Entry {}

  /**
   * The call is running in another task.
   *
   * @param until as {@link System#nanoTime}; then the process of that task is considered dead
   */
  private record Running(long until) implements Entry {}

  private final TopicPartition partition;
  private final long from;
  private final Duration lease;
  private final BooleanSupplier stopping;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Map<String, Entry> entries = new HashMap<>();
  private boolean read;
  private boolean closed;

  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * @param from offset of the first receipt to read
   * @param lease time after which a call that was handed over counts as lost, unless its handover
   *     is repeated
   * @param stopping whether the process stops; lookups then wait, because no call may start
   */
  ReceiptTopicSnapshot(
      TopicPartition partition, long from, Duration lease, BooleanSupplier stopping) {
    this.partition = partition;
    this.from = from;
    this.lease = lease;
    this.stopping = stopping;
  }

  /**
   * Reads the receipts. Called again if it throws.
   *
   * @param end receives the end of the partition when reading started
   */
  void read(Consumer<byte[], byte[]> consumer, LongConsumer end) {
    consumer.assign(List.of(partition));
    long last = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long first = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    // An offset behind the end is of a topic that was deleted and created again.
    consumer.seek(partition, from > last ? first : Math.max(first, from));
    while (!isClosed() && consumer.position(partition) < last) {
      consumer.poll(POLL).forEach(this::put);
    }
    end.accept(last);
    ended();
    while (awaitsAnswers()) {
      consumer.poll(POLL).forEach(this::put);
      endLeases(consumer);
    }
  }

  /**
   * Gives up calls whose lease is over. If the topic could not be read meanwhile, their answers may
   * be on the way, so their leases begin anew.
   */
  private void endLeases(Consumer<byte[], byte[]> consumer) {
    long asked = System.nanoTime();
    if (!isLeaseOver(asked)) {
      return;
    }
    long last = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    while (!isClosed() && consumer.position(partition) < last) {
      consumer.poll(POLL).forEach(this::put);
    }
    long now = System.nanoTime();
    boolean outage = now - asked > OUTAGE.toNanos();
    lock.lock();
    try {
      if (outage) {
        entries.replaceAll(
            (_, entry) -> entry instanceof Running ? new Running(now + lease.toNanos()) : entry);
      } else {
        entries.values().removeIf(entry -> isOver(entry, asked));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isLeaseOver(long now) {
    lock.lock();
    try {
      return entries.values().stream().anyMatch(entry -> isOver(entry, now));
    } finally {
      lock.unlock();
    }
  }

  private static boolean isOver(Entry entry, long now) {
    return entry instanceof Running(long until) && until - now <= 0;
  }

  /** Ends reading: what was not read is not found. */
  void ended() {
    lock.lock();
    try {
      read = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void put(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    String hash = new String(record.key(), StandardCharsets.UTF_8);
    lock.lock();
    try {
      Entry known = entries.get(hash);
      if (closed || (known instanceof Answer && record.value() == null)) {
        return;
      }
      if (record.headers().lastHeader(ReceiptTopic.RUNNING) != null) {
        if (!(known instanceof Answer)) {
          entries.put(hash, new Running(System.nanoTime() + lease.toNanos()));
        }
      } else if (record.value() == null) {
        entries.remove(hash);
      } else {
        entries.put(hash, new Answer(record.value()));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitsAnswers() {
    lock.lock();
    try {
      return !closed && entries.values().stream().anyMatch(Running.class::isInstance);
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte @Nullable [] find(String requestHash) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && mustWait(requestHash)) {
        var _ = changed.await(1, TimeUnit.SECONDS);
      }
      return entries.get(requestHash) instanceof Answer(byte[] response) ? response : null;
    } finally {
      lock.unlock();
    }
  }

  private boolean mustWait(String requestHash) {
    Entry entry = entries.get(requestHash);
    return !read || entry instanceof Running || (entry == null && stopping.getAsBoolean());
  }

  /** Waits before the next attempt to read, unless the snapshot is closed meanwhile. */
  void pause(Duration pause) throws InterruptedException {
    var _ = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.countDown();
      entries.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
