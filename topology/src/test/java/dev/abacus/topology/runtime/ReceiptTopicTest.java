package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ReceiptTopicTest {

  private static final TopicPartition PARTITION = new TopicPartition("p.receipts", 2);
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

  private final CountingListener listener = new CountingListener();
  private final MockProducer<byte[], byte[]> producer = producer(false);

  private static MockProducer<byte[], byte[]> producer(boolean autoComplete) {
    return new MockProducer<>(
        autoComplete,
        new RoundRobinPartitioner(),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private ReceiptTopic topic(Consumer<byte[], byte[]> consumer) {
    return new ReceiptTopic(
        "p.receipts", producer, () -> consumer, listener, Duration.ofSeconds(5));
  }

  /** A partition of three receipts, the first of them old. */
  private static MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times, Duration timeout) {
            assertThat(times.get(PARTITION)).isLessThan(SINCE.toEpochMilli());
            return Map.of(PARTITION, new OffsetAndTimestamp(1, 0L, Optional.empty()));
          }

          @Override
          public synchronized Map<TopicPartition, Long> endOffsets(
              Collection<TopicPartition> partitions, Duration timeout) {
            return Map.of(PARTITION, 3L);
          }
        };
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.schedulePollTask(() -> {
      int offset = 0;
      for (String text : List.of("old", "mid", "new")) {
        consumer.addRecord(
            new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                offset++,
                text.getBytes(UTF_8),
                ("answer " + text).getBytes(UTF_8)));
      }
    });
    return consumer;
  }

  @Test
  void aReceiptIsWrittenToTheTasksPartitionUnderItsHash() {
    try (ReceiptTopic receipts = topic(consumer())) {
      receipts.write(2, "hash", "answer".getBytes(UTF_8));
      producer.completeNext();
    }
    assertThat(producer.history()).hasSize(1);
    assertThat(producer.history().getFirst().partition()).isEqualTo(2);
    assertThat(producer.history().getFirst().key()).isEqualTo("hash".getBytes(UTF_8));
    assertThat(listener.receiptsWritten).hasValue(1);
  }

  @Test
  void failuresToWriteAreCountedAndNotThrown() {
    try (ReceiptTopic receipts = topic(consumer())) {
      receipts.write(2, "first", new byte[1]);
      producer.errorNext(new TimeoutException("expired"));
      producer.sendException = new KafkaException("no metadata");
      receipts.write(2, "second", new byte[1]);
      producer.sendException = null;
      receipts.write(2, "third", new byte[1]); // not tried, the topic was out of reach just now
    }
    assertThat(listener.receiptsFailed).hasValue(3);
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void receiptsSinceTheOldestPendingRecordAreFoundUntilClosed() {
    try (ReceiptTopic receipts = topic(consumer());
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, SINCE)) {
      assertThat(snapshot.find("mid")).isEqualTo("answer mid".getBytes(UTF_8));
      assertThat(snapshot.find("new")).isEqualTo("answer new".getBytes(UTF_8));
      assertThat(snapshot.find("old")).isNull();
      assertThat(snapshot.find("other")).isNull();
    }
  }

  @Test
  void nothingIsFoundOnceClosed() {
    ReceiptLog.Snapshot used;
    try (ReceiptTopic receipts = topic(consumer());
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, SINCE)) {
      used = snapshot;
      assertThat(used.find("mid")).isNotNull();
    }
    assertThat(used.find("mid")).isNull();
  }

  @Test
  void receiptsThatCannotBeReadAreNotFoundAndThatIsCounted() {
    MockConsumer<byte[], byte[]> broken = consumer();
    broken.schedulePollTask(() -> {});
    broken.setPollException(new KafkaException("unreachable"));
    try (ReceiptTopic receipts = topic(broken);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, SINCE)) {
      assertThat(snapshot.find("mid")).isNull();
    }
  }
}
