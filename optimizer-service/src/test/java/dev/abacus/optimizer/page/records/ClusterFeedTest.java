package dev.abacus.optimizer.page.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page follows topics that appear, and says what it may not read. */
class ClusterFeedTest {

  private static final KafkaNames NAMES = KafkaNames.UNPREFIXED;
  private static final Program PROGRAM = new ClusterFixture().program();
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(1);

  private final Broker broker = new Broker();
  private volatile Instant now = ClusterFixture.START;
  private final ClusterFeed feed =
      ClusterFeed.start(
          Map.of("bootstrap.servers", "none:9092"), broker, ModelCatalogue.builtIn(), clock());

  private Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now;
      }
    };
  }

  @AfterEach
  void close() {
    feed.close();
  }

  @Test
  void aRecordThatIsWrittenIsInTheNextSnapshot() {
    feed.write(new ControlRecord.ProgramSet(PROGRAM), "ann");
    assertThat(feed.snapshot().programs()).containsOnlyKeys(PROGRAM.name());

    feed.write(new ControlRecord.Paused(PROGRAM.name(), true), "ann");
    assertThat(records().paused()).isNotNull();
  }

  @Test
  void theTopicsOfAProgramThatIsAppliedLaterAreRead() {
    feed.write(new ControlRecord.ProgramSet(PROGRAM), "ann");
    broker.deadLetter("m-1", "draft");
    now = now.plusSeconds(3);

    await(() -> records().deadLetters().size() == 1);
  }

  @Test
  void aTopicThatMayNotBeReadIsNamedAndTheOthersAreRead() {
    broker.forbid(NAMES.deadLetters(PROGRAM.name()));
    feed.write(new ControlRecord.ProgramSet(PROGRAM), "ann");
    now = now.plusSeconds(3);

    await(() -> !feed.troubles().isEmpty());
    assertThat(feed.troubles())
        .singleElement()
        .asString()
        .contains("page dead letters", NAMES.deadLetters(PROGRAM.name()));
    feed.write(new ControlRecord.Paused(PROGRAM.name(), true), "ann");
    assertThat(records().paused()).isNotNull();
    assertThatThrownBy(() -> feed.pending(PROGRAM))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(NAMES.deadLetters(PROGRAM.name()));
  }

  @Test
  void aRecordThatKafkaDoesNotTakeIsAnError() {
    broker.producer.sendException = new TimeoutException("no broker answers");

    assertThatThrownBy(() -> feed.write(new ControlRecord.ProgramSet(PROGRAM), "ann"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Kafka did not take the record: no broker answers");
  }

  private ProgramRecords records() {
    return Objects.requireNonNull(feed.snapshot().programs().get(PROGRAM.name()));
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Topics of one partition, read and written through the mock clients of Kafka. */
  private static final class Broker implements DeadLetterReplay.Clients {

    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topics = new HashMap<>();
    private final Set<String> forbidden = new HashSet<>();
    private final WritingProducer producer = new WritingProducer();

    Broker() {
      for (String topic :
          List.of(NAMES.control(), NAMES.status(), NAMES.deadLetters(PROGRAM.name()))) {
        topics.put(topic, new ArrayList<>());
      }
    }

    synchronized void forbid(String topic) {
      forbidden.add(topic);
    }

    synchronized void deadLetter(String key, String operator) {
      String topic = NAMES.deadLetters(PROGRAM.name());
      List<ConsumerRecord<byte[], byte[]>> log = Objects.requireNonNull(topics.get(topic));
      ConsumerRecord<byte[], byte[]> letter =
          new ConsumerRecord<>(topic, 0, log.size(), key.getBytes(UTF_8), "{}".getBytes(UTF_8));
      letter.headers().add(Headers.OPERATOR, operator.getBytes(UTF_8));
      letter.headers().add(Headers.EXCEPTION_MESSAGE, "no answer".getBytes(UTF_8));
      log.add(letter);
    }

    private synchronized List<ConsumerRecord<byte[], byte[]>> log(String topic) {
      if (forbidden.contains(topic)) {
        throw new TopicAuthorizationException(Set.of(topic));
      }
      return List.copyOf(topics.getOrDefault(topic, List.of()));
    }

    private synchronized void append(String topic, byte[] key, byte[] value) {
      List<ConsumerRecord<byte[], byte[]>> log = Objects.requireNonNull(topics.get(topic));
      log.add(new ConsumerRecord<>(topic, 0, log.size(), key, value));
    }

    @Override
    public Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
      return new ReadingConsumer();
    }

    @Override
    public Producer<byte[], byte[]> producer(Map<String, Object> more) {
      return producer;
    }

    private final class ReadingConsumer extends MockConsumer<byte[], byte[]> {

      ReadingConsumer() {
        super("earliest");
      }

      @Override
      public synchronized List<PartitionInfo> partitionsFor(String topic) {
        return partitionsFor(topic, POLL);
      }

      @Override
      public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        int end = log(topic).size();
        boolean exists = topics.containsKey(topic);
        updateBeginningOffsets(Map.of(new TopicPartition(topic, 0), 0L));
        updateEndOffsets(Map.of(new TopicPartition(topic, 0), (long) end));
        return exists ? List.of(new PartitionInfo(topic, 0, null, null, null)) : List.of();
      }

      @Override
      public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        for (TopicPartition partition : assignment()) {
          List<ConsumerRecord<byte[], byte[]>> log = log(partition.topic());
          log.subList((int) position(partition), log.size()).forEach(this::addRecord);
          updateEndOffsets(Map.of(partition, (long) log.size()));
        }
        LockSupport.parkNanos(POLL.toNanos());
        return super.poll(timeout);
      }
    }

    private final class WritingProducer extends MockProducer<byte[], byte[]> {

      WritingProducer() {
        super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
      }

      @Override
      public synchronized Future<RecordMetadata> send(
          ProducerRecord<byte[], byte[]> record, Callback callback) {
        Future<RecordMetadata> sent = super.send(record, callback);
        append(record.topic(), record.key(), record.value());
        return sent;
      }

      /** The feed opens a producer for each write. */
      @Override
      public void close() {}
    }
  }
}
