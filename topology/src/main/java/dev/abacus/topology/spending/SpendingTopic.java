package dev.abacus.topology.spending;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spending topic, as one worker uses it: reads all records, and sends those of its accounts. A
 * call without a lease does not start, so a topic that cannot be reached stops the calls of
 * programs with a cap when their leases are used up.
 */
public final class SpendingTopic implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SpendingTopic.class);
  private static final TopicPartition PARTITION = new TopicPartition(Topics.SPENDING, 0);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;

  /** Unique for each start: what an earlier process of the same name spent is not known. */
  private final String instance;

  private final Map<String, SpendingAccount> accounts = new ConcurrentHashMap<>();
  private final BlockingQueue<SpendingRecord> outgoing = new LinkedBlockingQueue<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread reader = Thread.ofPlatform().name("abacus-spending").unstarted(this::follow);
  private final Thread writer = Thread.ofVirtual().name("abacus-leases").unstarted(this::write);

  private SpendingTopic(
      Producer<byte[], byte[]> producer, Consumer<byte[], byte[]> consumer, String instance) {
    this.producer = producer;
    this.consumer = consumer;
    this.instance = instance + "-" + UUID.randomUUID();
  }

  /**
   * Starts to read the topic.
   *
   * @param instance name of the worker
   */
  public static SpendingTopic start(Map<String, Object> clientProperties, String instance) {
    Map<String, Object> writing = new HashMap<>(clientProperties);
    writing.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    writing.put(ProducerConfig.ACKS_CONFIG, "all");
    writing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    writing.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    Map<String, Object> reading = new HashMap<>(clientProperties);
    reading.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    reading.remove(ConsumerConfig.GROUP_ID_CONFIG);
    SpendingTopic topic =
        new SpendingTopic(
            new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer()),
            new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
            instance);
    topic.reader.start();
    topic.writer.start();
    return topic;
  }

  /** The account of a program on this worker. */
  public SpendingAccount account(String program) {
    return accounts.computeIfAbsent(
        program, name -> new SpendingAccount(name, instance, System::nanoTime, outgoing::add));
  }

  private void follow() {
    try (consumer) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      while (closing.getCount() > 0) {
        try {
          consumer.poll(POLL).forEach(this::apply);
          accounts.values().forEach(SpendingAccount::tick);
        } catch (WakeupException e) {
          throw e;
        } catch (RuntimeException e) {
          LOG.warn("Cannot read the spending topic, will retry: {}", e.toString());
          if (closing.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (WakeupException e) {
      // Closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return;
    }
    try {
      SpendingRecord spending = Json.read(record.value(), SpendingRecord.class);
      account(spending.program()).apply(spending, record.timestamp());
    } catch (MalformedRecordException e) {
      LOG.debug("Ignores the spending record at offset {}: {}", record.offset(), e.toString());
    }
  }

  private void write() {
    try {
      while (true) {
        SpendingRecord record = outgoing.take();
        byte[] key = (record.program() + "/" + record.instance()).getBytes(StandardCharsets.UTF_8);
        try {
          var _ =
              producer.send(
                  new ProducerRecord<>(Topics.SPENDING, 0, key, Json.write(record)),
                  (_, failure) -> failed(record, failure));
        } catch (RuntimeException e) {
          failed(record, e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(SpendingRecord record, @Nullable Exception cause) {
    if (cause != null && closing.getCount() > 0) {
      LOG.warn("Cannot write to the spending topic, will retry: {}", cause.toString());
      account(record.program()).failed();
    }
  }

  /** Returns the leases that are not used. Call it after the programs are closed. */
  @Override
  public void close() {
    accounts.values().forEach(SpendingAccount::close);
    closing.countDown();
    consumer.wakeup();
    try {
      reader.join(CLOSE_TIMEOUT);
      while (!outgoing.isEmpty() && writer.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      writer.interrupt();
      writer.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close(CLOSE_TIMEOUT);
  }
}
