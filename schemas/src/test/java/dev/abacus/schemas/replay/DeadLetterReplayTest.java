package dev.abacus.schemas.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadLetterReplayTest {

  private static final TopicPartition LETTERS = new TopicPartition("p.dlq", 0);

  private MockProducer<byte[], byte[]> producer = newProducer();
  private long committed;
  private String metadata = "";
  private DeadLetterReplay replay;

  @BeforeEach
  void open() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { s: { topic: in } }
                operators:
                  - filter: f
                    condition: c
                    reads: [t]
                results: { topic: out }
                """);
    replay =
        new DeadLetterReplay(
            KafkaNames.UNPREFIXED,
            program,
            new DeadLetterReplay.Clients() {
              @Override
              public Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
                assertThat(more).containsEntry("group.id", "replay-p");
                return letters();
              }

              @Override
              public Producer<byte[], byte[]> producer(Map<String, Object> more) {
                // All else may be set by the user.
                assertThat(more).containsExactlyEntriesOf(Map.of("transactional.id", "replay-p"));
                producer = producer.closed() ? newProducer() : producer;
                return producer;
              }
            });
  }

  @Test
  void sendsEachLetterThatCanBeReplayedInOneTransaction() {
    DeadLetterReplay.Letters sent = replay.replay();

    assertThat(sent).isEqualTo(new DeadLetterReplay.Letters(2, 2));
    assertThat(producer.transactionCommitted()).isTrue();
    assertThat(producer.history())
        .allSatisfy(record -> {
          assertThat(record.topic()).isEqualTo("in");
          assertThat(record.headers())
              .extracting(header -> header.key())
              .containsExactly("traceparent");
        })
        .extracting(record -> new String(record.key(), UTF_8))
        .containsExactly("a", "b");
    assertThat(producer.consumerGroupOffsetsHistory())
        .singleElement()
        .satisfies(offsets ->
            assertThat(offsets.values())
                .containsExactly(Map.of(LETTERS, new OffsetAndMetadata(4))));
  }

  @Test
  void countsOnlyWhatWasNotReplayedBefore() {
    assertThat(replay.pending()).isEqualTo(new DeadLetterReplay.Letters(2, 2));
    committed = 1;
    assertThat(replay.pending()).isEqualTo(new DeadLetterReplay.Letters(1, 2));
    committed = 4;
    assertThat(replay.replay()).isEqualTo(new DeadLetterReplay.Letters(0, 0));
    assertThat(producer.history()).isEmpty();
    assertThat(producer.consumerGroupOffsetsHistory()).isEmpty();
  }

  @Test
  void aLetterThatIsReplayedAloneIsMarkedAndNotReplayedWithTheOthers() {
    assertThat(replay.replay(0, 3)).isEqualTo(new DeadLetterReplay.Letters(1, 0));
    assertThat(producer.history())
        .extracting(record -> new String(record.key(), UTF_8))
        .containsExactly("b");
    commits();
    assertThat(metadata).isEqualTo("3");
    assertThat(replay.replayed())
        .hasEntrySatisfying(
            0,
            replayed ->
                assertThat(List.of(replayed.has(3), replayed.has(0))).containsExactly(true, false));
    assertThat(replay.pending()).isEqualTo(new DeadLetterReplay.Letters(1, 2));

    assertThat(replay.replay().replayable()).isEqualTo(1);
    commits();
    assertThat(committed).isEqualTo(4);
    assertThat(metadata).isEmpty();
    assertThat(replay.pending()).isEqualTo(new DeadLetterReplay.Letters(0, 0));
  }

  @Test
  void lettersThatAreReplayedAloneInOrderNeedNoMarks() {
    var _ = replay.replay(letter -> letter.offset() == 0);
    commits();

    assertThat(committed).isEqualTo(1);
    assertThat(metadata).isEmpty();
  }

  private static MockProducer<byte[], byte[]> newProducer() {
    return new MockProducer<>(
        true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private void commits() {
    OffsetAndMetadata last =
        Objects.requireNonNull(
            producer
                .consumerGroupOffsetsHistory()
                .getLast()
                .values()
                .iterator()
                .next()
                .get(LETTERS));
    committed = last.offset();
    metadata = last.metadata();
  }

  @Test
  void sendsNothingIfTheCommitFails() {
    producer.commitTransactionException = new KafkaException("no broker");

    assertThatThrownBy(replay::replay).hasMessageContaining("no broker");

    assertThat(producer.history()).isEmpty();
    assertThat(producer.transactionAborted()).isTrue();
  }

  @Test
  void aCommitThatIsThrottledIsAwaited() {
    AtomicInteger timeouts = new AtomicInteger(3);
    producer =
        new MockProducer<>(
            true,
            new RoundRobinPartitioner(),
            new ByteArraySerializer(),
            new ByteArraySerializer()) {
          @Override
          public void commitTransaction() {
            if (timeouts.getAndDecrement() > 0) {
              throw new TimeoutException("no answer within max.block.ms");
            }
            super.commitTransaction();
          }
        };

    assertThat(replay.replay()).isEqualTo(new DeadLetterReplay.Letters(2, 2));
    assertThat(producer.transactionCommitted()).isTrue();
  }

  @Test
  void anAbortThatIsNotPossibleDoesNotHideWhyTheCommitFailed() {
    producer =
        new MockProducer<>(
            true,
            new RoundRobinPartitioner(),
            new ByteArraySerializer(),
            new ByteArraySerializer()) {
          @Override
          public void abortTransaction() {
            throw new IllegalStateException("commitTransaction timed out and must be retried");
          }
        };
    producer.commitTransactionException = new KafkaException("no broker");

    assertThatThrownBy(replay::replay).hasMessageContaining("no broker");
  }

  /** A whole letter, a shortened one, one of a group, and one of another producer. */
  private Consumer<byte[], byte[]> letters() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
              Set<TopicPartition> partitions) {
            return committed == 0 && metadata.isEmpty()
                ? Map.of()
                : Map.of(LETTERS, new OffsetAndMetadata(committed, metadata));
          }
        };
    consumer.updatePartitions("p.dlq", List.of(new PartitionInfo("p.dlq", 0, null, null, null)));
    consumer.updateBeginningOffsets(Map.of(LETTERS, 0L));
    consumer.updateEndOffsets(Map.of(LETTERS, 4L));
    List<ConsumerRecord<byte[], byte[]>> records =
        List.of(
            letter(0, "a", Map.of(Headers.EXCEPTION_TOPIC, "in", "traceparent", "00-1")),
            letter(1, "s", Map.of(Headers.EXCEPTION_TOPIC, "in", Headers.ORIGINAL_SIZE, "9")),
            letter(2, "g", Map.of(Headers.EXCEPTION_TOPIC, "")),
            letter(3, "b", Map.of(Headers.OPERATOR, "f", "traceparent", "00-2")));
    consumer.schedulePollTask(() ->
        records.stream()
            .filter(record -> record.offset() >= committed)
            .forEach(consumer::addRecord));
    return consumer;
  }

  private static ConsumerRecord<byte[], byte[]> letter(
      long offset, String key, Map<String, String> headers) {
    RecordHeaders all = new RecordHeaders();
    headers.forEach((name, text) -> all.add(name, text.getBytes(UTF_8)));
    return new ConsumerRecord<>(
        "p.dlq",
        0,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        key.getBytes(UTF_8),
        new byte[] {'{', '}'},
        all,
        Optional.empty());
  }
}
