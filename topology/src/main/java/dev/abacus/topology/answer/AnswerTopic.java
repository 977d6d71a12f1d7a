package dev.abacus.topology.answer;

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer topic, as one worker uses it: sends the answers of its calls, and reads those of all
 * workers into its {@link AnswerStore}, at the start those that are not too old. One partition
 * gives all records one order, so an order to clear applies to all answers before it.
 *
 * <p>Answers save cost only, so calls never wait for this topic: an answer that cannot be sent is
 * dropped. The receipts of a document do not depend on it.
 */
public final class AnswerTopic implements AnswerLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerTopic.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int QUEUE = 10_000;

  /** Header of an answer: offset of this topic that its worker had read when the call started. */
  private static final String STARTED = "abacus-started";

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Outgoing(String key, byte @Nullable [] answer, long position) {}

  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final Duration maxAge;
  private final InstantSource clock;
  private final AnswerStore store;
  private final int largestMessage;
  private final BlockingQueue<Outgoing> outgoing = new ArrayBlockingQueue<>(QUEUE);
  private final Supervisor.SupervisedThread reader;
  private final Supervisor.SupervisedThread writer;
  private boolean assigned;
  private long end;

  /**
   * Starts to read the topic.
   *
   * @param models as for {@link AnswerStore}
   * @param largestMessage size of the largest answer in bytes; larger ones are not sent
   */
  public AnswerTopic(
      Map<String, Object> clientProperties,
      AnswerStore.Settings settings,
      Function<String, @Nullable String> models,
      InstantSource clock,
      int largestMessage,
      Supervisor supervisor) {
    Map<String, Object> writing = ByteClients.durable(clientProperties);
    writing.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 20);
    writing.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CLOSE_TIMEOUT.toMillis());
    writing.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largestMessage);
    Map<String, Object> reading = ByteClients.following(clientProperties);
    reading.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    reading.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    this.producer = ByteClients.producer(writing);
    this.consumer = ByteClients.consumer(reading);
    this.partition = new TopicPartition(KafkaNames.of(clientProperties).answers(), 0);
    this.maxAge = settings.maxAge();
    this.clock = clock;
    this.largestMessage = largestMessage;
    this.store = new AnswerStore(settings, models, clock, this);
    this.reader =
        supervisor.startAuxiliary(
            "answers", this::read, new Supervisor.Resource(() -> {}, consumer::close));
    this.writer =
        supervisor.startAuxiliary(
            "answers-out", _ -> write(), new Supervisor.Resource(() -> {}, this::writeLast));
  }

  /** The answers of all workers. */
  public AnswerStore store() {
    return store;
  }

  @Override
  public void write(String key, byte[] answer, long position) {
    if (answer.length + key.length() < largestMessage / 2) {
      boolean _ = outgoing.offer(new Outgoing(key, answer, position));
    }
  }

  @Override
  public void remove(String key) {
    boolean _ = outgoing.offer(new Outgoing(key, null, 0));
  }

  private Duration read(ThreadHealth health) {
    if (!assigned) {
      consumer.assign(List.of(partition));
      end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      seek();
      store.startAt(consumer.position(partition));
      assigned = true;
    }
    consumer
        .poll(POLL)
        .forEach(record -> {
          if (record.key() != null) {
            try {
              String key = new String(record.key(), StandardCharsets.UTF_8);
              store.apply(
                  key, record.value(), record.offset(), record.timestamp(), started(record));
            } catch (RuntimeException | StackOverflowError e) {
              health.skipped("%s@%d".formatted(partition, record.offset()), e);
            }
          }
        });
    if (consumer.position(partition) >= end) {
      store.complete();
    }
    return Duration.ZERO;
  }

  /** The offset that the header states; that of the record itself if there is none. */
  private static long started(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(STARTED);
    return header == null || header.value().length != Long.BYTES
        ? record.offset()
        : ByteBuffer.wrap(header.value()).getLong();
  }

  /** Starts behind the answers that are too old. */
  private void seek() {
    long oldest = Math.max(0, clock.millis() - maxAge.toMillis());
    OffsetAndTimestamp first = consumer.offsetsForTimes(Map.of(partition, oldest)).get(partition);
    consumer.seek(partition, first == null ? end : first.offset());
  }

  private Duration write() throws InterruptedException {
    Outgoing next = outgoing.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
    if (next != null) {
      send(next);
    }
    return Duration.ZERO;
  }

  private void send(Outgoing next) {
    byte[] key = next.key().getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(partition.topic(), partition.partition(), key, next.answer());
    if (next.answer() != null) {
      byte[] started = ByteBuffer.allocate(Long.BYTES).putLong(next.position()).array();
      record.headers().add(STARTED, started);
    }
    var _ =
        producer.send(
            record,
            (_, failure) -> {
              if (failure != null) {
                LOG.debug("An answer is not shared: {}", failure.toString());
              }
            });
  }

  /** Sends the remaining answers, for up to five seconds. Call it after the programs are closed. */
  @Override
  public void close() {
    reader.close();
    writer.close();
  }

  private void writeLast() {
    for (Outgoing last = outgoing.poll(); last != null; last = outgoing.poll()) {
      send(last);
    }
    producer.close(CLOSE_TIMEOUT);
  }
}
