package dev.abacus.topology.runtime;

import dev.abacus.topology.model.Futures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the receipts of one partition from an offset to the end that the partition has when reading
 * starts, and further while a call that was handed over is not ended. Lookups wait until then.
 *
 * <p>Memory has the offsets alone, see {@link ReceiptOffsets}. A lookup reads its answer from the
 * topic again, on the thread that has the consumer.
 */
final class ReceiptTopicSnapshot implements ReceiptLog.Snapshot {

  /** The reader of a closed snapshot ends within this time; idle programs have many readers. */
  private static final long IDLE_SECONDS = 10;

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /** Time to read to the end of the partition after which Kafka counts as away. */
  private static final Duration OUTAGE = Duration.ofSeconds(1);

  /** Most receipts that a task finds; the offsets of all take 90 MB. */
  private static final int BOUND = 1 << 23;

  /** A lookup whose answer is at an offset. */
  private record Lookup(
      String requestHash, long offset, CompletableFuture<byte @Nullable []> answer) {}

  private final TopicPartition partition;
  private final Duration lease;
  private final BooleanSupplier stopping;

  // Guarded by this.
  private final ReceiptOffsets answers = new ReceiptOffsets(BOUND);

  /**
   * Until when calls that were handed over are running, as {@link System#nanoTime}; then their
   * process is considered dead.
   */
  private final Map<String, Long> running = new HashMap<>();

  private boolean read;
  private boolean closed;

  private final CountDownLatch closing = new CountDownLatch(1);
  private final BlockingQueue<Lookup> lookups = new LinkedBlockingQueue<>();

  /** Offset of the next record to read; only the reading thread uses it. */
  private long next;

  /**
   * @param from offset of the first receipt to read
   * @param lease time after which a call that was handed over counts as lost, unless its handover
   *     is repeated
   * @param stopping whether the process stops; lookups then wait, because no call may start
   */
  ReceiptTopicSnapshot(
      TopicPartition partition, long from, Duration lease, BooleanSupplier stopping) {
    this.partition = partition;
    this.next = from;
    this.lease = lease;
    this.stopping = stopping;
  }

  /**
   * Reads the receipts. Called again if it throws, and then continues.
   *
   * @return the end of the partition when reading started
   */
  long read(Consumer<byte[], byte[]> consumer) {
    consumer.assign(List.of(partition));
    long last = end(consumer);
    long first = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    // An offset behind the end is of a topic that was deleted and created again.
    next = next > last ? first : Math.max(first, next);
    consumer.seek(partition, next);
    readTo(last, consumer);
    ended();
    return last;
  }

  private long end(Consumer<byte[], byte[]> consumer) {
    return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private void readTo(long last, Consumer<byte[], byte[]> consumer) {
    while (!isClosed() && consumer.position(partition) < last) {
      poll(consumer);
    }
  }

  private void poll(Consumer<byte[], byte[]> consumer) {
    consumer.poll(POLL).forEach(this::put);
    next = consumer.position(partition);
  }

  /** Answers lookups and follows the calls that were handed over, until this is closed. */
  void serve(Consumer<byte[], byte[]> consumer) throws InterruptedException {
    while (!isClosed()) {
      boolean follows = awaitsAnswers();
      Lookup lookup = lookups.poll(follows ? 0 : IDLE_SECONDS, TimeUnit.SECONDS);
      if (lookup != null) {
        List<Lookup> waiting = new ArrayList<>(List.of(lookup));
        lookups.drainTo(waiting);
        answer(waiting, consumer);
      } else if (follows) {
        poll(consumer);
        endLeases(consumer);
      }
    }
  }

  /** Answers lookups in the order of their offsets, so that one fetch serves neighbours. */
  private void answer(List<Lookup> waiting, Consumer<byte[], byte[]> consumer) {
    NavigableMap<Long, List<Lookup>> open =
        waiting.stream()
            .collect(Collectors.groupingBy(Lookup::offset, TreeMap::new, Collectors.toList()));
    try {
      while (!open.isEmpty() && !isClosed()) {
        long first = open.firstKey();
        if (consumer.position(partition) != first) {
          consumer.seek(partition, first);
        }
        consumer.poll(POLL).forEach(record -> answer(open, record));
        boolean missed = consumer.position(partition) > first || end(consumer) <= first;
        if (missed && open.containsKey(first)) {
          complete(open.remove(first), null);
        }
      }
      consumer.seek(partition, next);
    } finally {
      open.values().forEach(lookups::addAll); // for the next attempt
      if (isClosed()) {
        cancelLookups();
      }
    }
  }

  /** Answers the lookups up to a record; null if the topic does not have their records any more. */
  private static void answer(
      NavigableMap<Long, List<Lookup>> open, ConsumerRecord<byte[], byte[]> record) {
    Map<Long, List<Lookup>> missed = open.headMap(record.offset(), false);
    missed.values().forEach(lookups -> complete(lookups, null));
    missed.clear();
    List<Lookup> found = open.remove(record.offset());
    if (found != null) {
      complete(found, record);
    }
  }

  private static void complete(
      List<Lookup> lookups, @Nullable ConsumerRecord<byte[], byte[]> record) {
    for (Lookup lookup : lookups) {
      lookup
          .answer()
          .complete(
              record != null && lookup.requestHash().equals(hash(record)) ? record.value() : null);
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
    readTo(end(consumer), consumer);
    long now = System.nanoTime();
    boolean outage = now - asked > OUTAGE.toNanos();
    synchronized (this) {
      if (outage) {
        running.replaceAll((_, _) -> now + lease.toNanos());
      } else {
        running.values().removeIf(until -> until - asked <= 0);
      }
      notifyAll();
    }
  }

  private synchronized boolean isLeaseOver(long now) {
    return running.values().stream().anyMatch(until -> until - now <= 0);
  }

  /** Ends reading: what was not read is not found. */
  synchronized void ended() {
    read = true;
    notifyAll();
  }

  private static String hash(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  private synchronized void put(ConsumerRecord<byte[], byte[]> record) {
    if (closed || record.key() == null) {
      return;
    }
    String hash = hash(record);
    if (record.headers().lastHeader(ReceiptTopic.RUNNING) != null) {
      if (answers.find(hash) == ReceiptOffsets.NONE) {
        running.put(hash, System.nanoTime() + lease.toNanos());
      }
    } else {
      running.remove(hash);
      if (record.value() != null) {
        answers.put(hash, record.offset());
      }
    }
    if (read) { // Until then all lookups wait for the end.
      notifyAll();
    }
  }

  private synchronized boolean awaitsAnswers() {
    return !closed && !running.isEmpty();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public byte @Nullable [] find(String requestHash) throws InterruptedException {
    long offset = await(requestHash);
    if (offset == ReceiptOffsets.NONE) {
      return null;
    }
    Lookup lookup = new Lookup(requestHash, offset, new CompletableFuture<>());
    lookups.add(lookup);
    if (isClosed()) {
      cancelLookups();
    }
    return Futures.result(lookup.answer());
  }

  /** The offset of the receipt of a request, when that is known. */
  private synchronized long await(String requestHash) throws InterruptedException {
    while (!closed && mustWait(requestHash)) {
      wait(LONGEST_WAIT.toMillis());
    }
    return answers.find(requestHash);
  }

  private boolean mustWait(String requestHash) {
    return !read
        || running.containsKey(requestHash)
        || (stopping.getAsBoolean() && answers.find(requestHash) == ReceiptOffsets.NONE);
  }

  /** Waits before the next attempt to read, unless the snapshot is closed meanwhile. */
  void pause(Duration pause) throws InterruptedException {
    var _ = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      closing.countDown();
      answers.clear();
      running.clear();
      notifyAll();
    }
    cancelLookups();
  }

  private void cancelLookups() {
    for (Lookup open = lookups.poll(); open != null; open = lookups.poll()) {
      open.answer().complete(null);
    }
  }
}
