package dev.abacus.topology.runtime;

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps receipts in a topic: the key is the hash of the request, the value the answer. They are
 * written outside the transactions of Kafka Streams, so that an aborted transaction keeps them, and
 * read when a task is opened. The topic needs as many partitions as the input of the tasks.
 *
 * <p>Receipts that Kafka has not acknowledged count in {@link OpenCalls}. At its bound no further
 * call starts, so a crash while Kafka is unreachable loses a bounded number of receipts. A receipt
 * is sent until Kafka acknowledges it; only one that Kafka refuses is dropped.
 *
 * <p>A record with the header {@value #RUNNING} states that the call goes on in a task that is
 * closed. It is repeated until the call has ended. A tombstone states that it ended without an
 * answer.
 *
 * <p>Thread-safe. The process has one instance and closes it after Kafka Streams.
 */
public final class ReceiptTopic implements ReceiptLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiptTopic.class);

  /** Header of a record that states that a call is running. */
  static final String RUNNING = "abacus-call-running";

  private static final byte[] EMPTY = {};

  /** Time without a repeated handover after which a process is considered dead. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static final Duration HANDOVER_INTERVAL = LEASE.dividedBy(3);
  private static final Duration HANDOVER_TIMEOUT = Duration.ofSeconds(1);

  /** Interval at which {@link #position} follows the receipts of other processes. */
  private static final Duration ENDS_INTERVAL = Duration.ofMinutes(5);

  /** Time that {@link #close} waits for calls that are running. */
  public static final Duration LONGEST_CALL = Duration.ofSeconds(20);

  private static final long LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final OpenCalls calls;
  private final Supervisor supervisor;
  private final String handovers;
  private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - LOG_INTERVAL_NANOS);

  /** The offset after the last known receipt of each partition. */
  private final Map<Integer, Long> positions = new ConcurrentHashMap<>();

  /** What was sent last to each partition: what was sent before it is in the topic not later. */
  private final Map<Integer, Future<RecordMetadata>> latest = new ConcurrentHashMap<>();

  /** The calls that are running although their task is closed. */
  private final Set<Call> handedOver = ConcurrentHashMap.newKeySet();

  /** Calls without a receipt that run, also those of open tasks. */
  private final AtomicInteger running = new AtomicInteger();

  /** Set when no further call may start. */
  private volatile boolean stopping;

  private final CountDownLatch closing = new CountDownLatch(1);

  private record Call(int partition, String requestHash) {}

  /**
   * What the receipts of all programs of a process share.
   *
   * @param calls counts the receipts that Kafka has not acknowledged
   * @param supervisor is told of failures of the threads that write handovers and read receipts
   */
  public record Services(OpenCalls calls, Supervisor supervisor) {}

  ReceiptTopic(
      String topic,
      Producer<byte[], byte[]> producer,
      Supplier<Consumer<byte[], byte[]>> consumers,
      Services services) {
    this.topic = topic;
    this.producer = producer;
    this.consumers = consumers;
    this.calls = services.calls();
    this.supervisor = services.supervisor();
    this.handovers = "handovers to " + topic;
  }

  /**
   * Connects to a topic.
   *
   * @param clientProperties connection properties: bootstrap servers, security, interceptors of the
   *     producer
   * @param largestMessage size of the largest receipt in bytes; larger ones are not written
   */
  public static ReceiptTopic open(
      String topic, Map<String, Object> clientProperties, int largestMessage, Services services) {
    Map<String, Object> writing = ByteClients.durable(clientProperties);
    writing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    writing.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    writing.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largestMessage);
    Map<String, Object> reading = ByteClients.following(clientProperties);
    reading.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    reading.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    // A lookup waits for the fetch at the end of the topic that is under way.
    reading.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
    ReceiptTopic receipts =
        new ReceiptTopic(
            topic, ByteClients.producer(writing), () -> ByteClients.consumer(reading), services);
    receipts.start();
    return receipts;
  }

  /** Starts the thread that repeats handovers and follows the ends of partitions. */
  void start() {
    ThreadHealth health = supervisor.watch(handovers);
    Thread.ofVirtual().name("abacus-receipts").start(() -> repeatHandovers(health));
  }

  private ProducerRecord<byte[], byte[]> record(
      int partition, String requestHash, byte @Nullable [] value) {
    return new ProducerRecord<>(
        topic, partition, requestHash.getBytes(StandardCharsets.UTF_8), value);
  }

  @Override
  public void write(int partition, String requestHash, byte[] response) {
    calls.receiptOpened();
    handedOver.remove(new Call(partition, requestHash));
    sendReceipt(record(partition, requestHash, response));
  }

  /**
   * Sends a receipt until Kafka acknowledges or refuses it. The producer reports in the callback
   * that its buffer is full or the topic is unknown, and its thread must not wait there.
   */
  private void sendReceipt(ProducerRecord<byte[], byte[]> receipt) {
    Callback ended =
        (metadata, failure) -> {
          if (failure instanceof org.apache.kafka.common.errors.TimeoutException && !isClosing()) {
            failed("write", failure);
            Thread.ofVirtual().name("abacus-receipts").start(() -> sendReceipt(receipt));
          } else {
            calls.receiptClosed();
            sent(metadata, failure);
          }
        };
    if (send(receipt, ended) == null) {
      calls.receiptClosed();
    }
  }

  @Override
  public void callStarted() {
    running.incrementAndGet();
  }

  @Override
  public void callEnded() {
    running.decrementAndGet();
  }

  /** Sends a record; null if that is not possible. An interrupted thread sends too. */
  private @Nullable Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, Callback callback) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          Future<RecordMetadata> sent = producer.send(record, callback);
          latest.put(record.partition(), sent);
          return sent;
        } catch (InterruptException e) {
          Thread.interrupted();
          interrupted = true;
        }
        if (isClosing()) {
          return null;
        }
      }
    } catch (RuntimeException e) {
      failed("write", e);
      return null;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Kafka passes null on success.
  private void sent(RecordMetadata metadata, @Nullable Exception failure) {
    if (failure != null) {
      failed("write", failure);
    } else if (metadata.hasOffset()) {
      known(metadata.partition(), metadata.offset() + 1);
    }
  }

  private void known(int partition, long position) {
    positions.merge(partition, position, Math::max);
  }

  @Override
  public long position(int partition) {
    return positions.getOrDefault(partition, BEGINNING);
  }

  /** Learns the positions that other processes have reached, for tasks that write no receipts. */
  private void readEnds() {
    List<TopicPartition> read =
        positions.keySet().stream().map(number -> new TopicPartition(topic, number)).toList();
    if (!read.isEmpty()) {
      try (Consumer<byte[], byte[]> consumer = consumers.get()) {
        consumer.endOffsets(read).forEach((partition, end) -> known(partition.partition(), end));
      }
    }
  }

  @Override
  public void closing(int partition, Collection<String> requestHashes) {
    requestHashes.forEach(hash -> handedOver.add(new Call(partition, hash)));
  }

  @Override
  public void handOver(int partition, Collection<String> requestHashes) {
    try {
      sendBeside(() -> requestHashes.forEach(hash -> sendHandover(new Call(partition, hash))));
      Future<RecordMetadata> last = latest.get(partition);
      if (last != null) {
        last.get(HANDOVER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      failed("hand over", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a second only: without brokers, the producer may wait for a minute per record. */
  private static void sendBeside(Runnable sending) throws InterruptedException, TimeoutException {
    if (!Thread.ofVirtual().name("abacus-receipts").start(sending).join(HANDOVER_TIMEOUT)) {
      throw new TimeoutException("Kafka takes no record");
    }
  }

  private ProducerRecord<byte[], byte[]> running(int partition, String requestHash) {
    ProducerRecord<byte[], byte[]> record = record(partition, requestHash, EMPTY);
    record.headers().add(RUNNING, EMPTY);
    return record;
  }

  @Override
  public void giveUp(int partition, String requestHash) {
    handedOver.remove(new Call(partition, requestHash));
    var _ = send(record(partition, requestHash, null), this::sent);
  }

  private void repeatHandovers(ThreadHealth health) {
    try {
      long endsReadAt = System.nanoTime();
      Duration pause = HANDOVER_INTERVAL;
      while (pause != null && !closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          handedOver.forEach(this::sendHandover);
          if (System.nanoTime() - endsReadAt > ENDS_INTERVAL.toNanos()) {
            endsReadAt = System.nanoTime();
            readEnds();
          }
          health.succeeded();
          pause = HANDOVER_INTERVAL;
        } catch (RuntimeException | Error e) {
          pause = health.failed(e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** States that a call goes on, unless it has ended; the last statement on the topic is true. */
  private void sendHandover(Call call) {
    if (!handedOver.contains(call)) {
      return;
    }
    var _ = send(running(call.partition(), call.requestHash()), this::sent);
    if (!handedOver.contains(call)) {
      var _ = send(record(call.partition(), call.requestHash(), null), this::sent);
    }
  }

  @Override
  public Snapshot snapshot(int partition, long from) {
    ReceiptTopicSnapshot snapshot =
        new ReceiptTopicSnapshot(new TopicPartition(topic, partition), from, LEASE, () -> stopping);
    Thread.ofVirtual().name("abacus-receipts-" + partition).start(() -> read(partition, snapshot));
    return snapshot;
  }

  /** Reads and serves a snapshot until it is closed; tries again after a failure. */
  private void read(int partition, ReceiptTopicSnapshot snapshot) {
    ThreadHealth health = null;
    String name = "receipts of %s-%d".formatted(topic, partition);
    try {
      producer.flush(); // of a former task of this process
      while (!snapshot.isClosed()) {
        try (Consumer<byte[], byte[]> consumer = consumers.get()) {
          producer.partitionsFor(topic); // or the first receipt would wait for metadata
          known(partition, snapshot.read(consumer));
          supervisor.forget(name);
          health = null;
          snapshot.serve(consumer);
        } catch (RuntimeException | Error e) {
          failed("read", e);
          health = health == null ? supervisor.watch(name) : health;
          Duration pause = health.failed(e);
          if (pause == null) {
            return; // The process ends. Until then no call is repeated.
          }
          snapshot.pause(pause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    supervisor.forget(name);
    snapshot.close();
  }

  private void failed(String what, Throwable cause) {
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

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /**
   * Lets no further call start, waits up to 20 seconds for the calls that run, and gives up those
   * that were handed over and have not ended. Then sends the remaining receipts, for up to five
   * seconds.
   */
  @Override
  public void close() {
    closeBy(System.nanoTime() + LONGEST_CALL.toNanos());
  }

  /**
   * As {@link #close}, with another end of the wait for calls.
   *
   * @param deadline by {@link System#nanoTime}
   */
  public void closeBy(long deadline) {
    stopping = true;
    awaitCalls(deadline);
    closing.countDown();
    try {
      sendBeside(() -> handedOver.forEach(call -> giveUp(call.partition(), call.requestHash())));
    } catch (TimeoutException e) {
      failed("hand over", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    supervisor.forget(handovers);
    producer.close(Duration.ofSeconds(5));
  }

  private void awaitCalls(long deadline) {
    try {
      while ((running.get() > 0 || !handedOver.isEmpty()) && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
