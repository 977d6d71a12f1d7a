package dev.abacus.topology.spending;

import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The spending topic, as one worker uses it: reads all records, and sends those of its accounts.
 * For a new account it reads the topic again with a second consumer, while the first one follows,
 * so no other program waits, and records of programs that this worker does not run need no memory,
 * whatever names are written. A call without a lease does not start, so a topic that cannot be
 * reached stops the calls of programs with a cap when their leases are used up.
 */
public final class SpendingTopic implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(50);
  private static final long BILL_NANOS = Duration.ofSeconds(5).toNanos();

  /** While no program has a cap, and for records to write, which end the wait. */
  private static final Duration IDLE_POLL = Duration.ofMillis(500);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;
  private final Supplier<Consumer<byte[], byte[]>> consumers;

  /** Follows the topic. */
  private final Consumer<byte[], byte[]> consumer;

  /** Reads for new accounts what was written before; null if there are none. */
  private @Nullable Consumer<byte[], byte[]> past;

  private final TopicPartition partition;

  /** Unique for each start: what an earlier process of the same name spent is not known. */
  private final String instance;

  private final Bill bill;

  /** For the writer only. */
  private long billedAt = System.nanoTime();

  private final Map<String, SpendingAccount> accounts = new ConcurrentHashMap<>();
  private final BlockingQueue<SpendingRecord> outgoing = new LinkedBlockingQueue<>();
  private final Supervisor.SupervisedThread reader;
  private final Supervisor.SupervisedThread writer;

  /** Whether Kafka takes what is written. */
  private final ThreadHealth records;

  /** By program, the offset of the next record that its account needs. For the reader only. */
  private final Map<String, Long> needed = new HashMap<>();

  /** Offset of the next record of the follower. */
  private long followed;

  /** Programs whose accounts do not know all records before the follower's. */
  private final Set<String> behind = new HashSet<>();

  /** Programs that have stopped and still have an account; guarded by this. */
  private final Set<String> ended = new HashSet<>();

  SpendingTopic(
      Producer<byte[], byte[]> producer,
      Supplier<Consumer<byte[], byte[]>> consumers,
      String topic,
      String instance,
      Bill bill,
      Supervisor supervisor) {
    this.bill = bill;
    this.producer = producer;
    this.consumers = consumers;
    this.consumer = consumers.get();
    this.partition = new TopicPartition(topic, 0);
    this.instance = instance + "-" + UUID.randomUUID();
    this.records = supervisor.watch("records of " + topic);
    this.reader =
        supervisor.start(
            "spending", this::read, new Supervisor.Resource(consumer::wakeup, this::closeReaders));
    this.writer =
        supervisor.start(
            "leases", _ -> write(), new Supervisor.Resource(() -> {}, this::writeLast));
  }

  /**
   * Starts to read the topic.
   *
   * @param instance name of the worker
   * @param bill what the worker spends; written every 5 s
   */
  public static SpendingTopic start(
      Map<String, Object> clientProperties, String instance, Bill bill, Supervisor supervisor) {
    Map<String, Object> writing = ByteClients.durable(clientProperties);
    writing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    writing.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    return new SpendingTopic(
        ByteClients.producer(writing),
        () -> ByteClients.consumer(ByteClients.following(clientProperties)),
        KafkaNames.of(clientProperties).spending(),
        instance,
        bill,
        supervisor);
  }

  /** What this worker spends. */
  public Bill bill() {
    return bill;
  }

  /** The account of a program on this worker. */
  public synchronized SpendingAccount account(String program) {
    ended.remove(program);
    return accounts.computeIfAbsent(
        program, name -> new SpendingAccount(name, instance, System::nanoTime, outgoing::add));
  }

  /**
   * Forgets the account of a program that has stopped, once its spending does not count any more:
   * if the program is applied again within the window, it does.
   */
  public synchronized void forget(String program) {
    bill.forget(program);
    ended.add(program);
  }

  private synchronized void removeEnded() {
    ended.removeIf(program -> {
      SpendingAccount account = accounts.get(program);
      if (account != null && account.isUsed()) {
        return false;
      }
      accounts.remove(program);
      needed.remove(program);
      behind.remove(program);
      return true;
    });
  }

  /** Number of accounts. */
  int programs() {
    return accounts.size();
  }

  private Duration read(ThreadHealth health) {
    if (consumer.assignment().isEmpty()) {
      consumer.assign(List.of(partition));
      consumer.seekToEnd(List.of(partition));
    }
    if (!needed.keySet().containsAll(accounts.keySet()) || (past == null && !behind.isEmpty())) {
      readPast();
    }
    boolean capped = accounts.values().stream().anyMatch(SpendingAccount::isCapped);
    Duration wait = past != null ? Duration.ZERO : capped ? POLL : IDLE_POLL;
    consumer.poll(wait).forEach(record -> apply(record, false, health));
    noticeNewTopic(consumer.position(partition));
    catchUp(health);
    accounts.values().forEach(SpendingAccount::tick);
    removeEnded();
    return Duration.ZERO;
  }

  /** If the topic was created anew, its offsets begin anew, and it lacks what was written last. */
  private void noticeNewTopic(long position) {
    if (position < followed) {
      needed.clear();
      accounts.values().forEach(SpendingAccount::failed);
    }
    followed = position;
  }

  private void readPast() {
    for (String program : accounts.keySet()) {
      if (needed.putIfAbsent(program, 0L) == null) {
        behind.add(program);
      }
    }
    Consumer<byte[], byte[]> reading = past == null ? consumers.get() : past;
    past = reading;
    reading.assign(List.of(partition));
    reading.seekToBeginning(List.of(partition));
  }

  private void catchUp(ThreadHealth health) {
    Consumer<byte[], byte[]> reading = past;
    if (reading == null) {
      return;
    }
    reading.poll(POLL).forEach(record -> apply(record, true, health));
    if (reading.position(partition) >= consumer.position(partition)) {
      behind.clear();
      reading.close();
      past = null;
    }
  }

  private void closeReaders() {
    consumer.close();
    Consumer<byte[], byte[]> reading = past;
    if (reading != null) {
      reading.close();
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, boolean ofPast, ThreadHealth health) {
    if (record.value() == null || record.headers().lastHeader(Headers.BILL) != null) {
      return;
    }
    try {
      SpendingRecord spending = Json.read(record.value(), SpendingRecord.class);
      Long next = needed.get(spending.program());
      SpendingAccount account = accounts.get(spending.program());
      boolean due = behind.contains(spending.program()) == ofPast;
      if (due && account != null && next != null && record.offset() >= next) {
        needed.put(spending.program(), record.offset() + 1);
        account.apply(spending, record.timestamp());
      }
    } catch (MalformedRecordException | RuntimeException | StackOverflowError e) {
      health.skipped("%s@%d".formatted(partition, record.offset()), e);
    }
  }

  private Duration write() throws InterruptedException {
    SpendingRecord record = outgoing.poll(IDLE_POLL.toMillis(), TimeUnit.MILLISECONDS);
    if (record != null) {
      send(record);
    }
    if (System.nanoTime() - billedAt >= BILL_NANOS) {
      billedAt = System.nanoTime();
      bill.take().forEach(this::send);
    }
    return Duration.ZERO;
  }

  private void send(BillRecord record) {
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(partition.topic(), 0, record.key(), Json.write(record));
    sent.headers().add(Headers.BILL, new byte[0]);
    send(sent, () -> bill.giveBack(record));
  }

  private void send(SpendingRecord record) {
    byte[] key = (record.program() + "/" + record.instance()).getBytes(StandardCharsets.UTF_8);
    send(
        new ProducerRecord<>(partition.topic(), 0, key, Json.write(record)),
        () -> {
          SpendingAccount account = accounts.get(record.program());
          if (account != null) {
            account.failed();
          }
        });
  }

  private void send(ProducerRecord<byte[], byte[]> record, Runnable onFailure) {
    Callback sent =
        (_, failure) -> {
          if (failure == null) {
            records.succeeded();
          } else {
            var _ = records.failed(failure);
            onFailure.run();
          }
        };
    try {
      var _ = producer.send(record, sent);
    } catch (RuntimeException e) {
      sent.onCompletion(null, e);
    }
  }

  /** Returns the leases that are not used. Call it after the programs are closed. */
  @Override
  public void close() {
    accounts.values().forEach(SpendingAccount::close);
    reader.close();
    writer.close();
  }

  private void writeLast() {
    for (SpendingRecord last = outgoing.poll(); last != null; last = outgoing.poll()) {
      send(last);
    }
    bill.take().forEach(this::send);
    producer.close(CLOSE_TIMEOUT);
  }
}
