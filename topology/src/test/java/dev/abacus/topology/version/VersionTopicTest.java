package dev.abacus.topology.version;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transitions of several workers on one topic, whose producers fence each other. */
class VersionTopicTest {

  private static final KafkaNames NAMES = KafkaNames.UNPREFIXED;
  private static final VersionCodec CODEC =
      new VersionCodec(new ProgramParser(ModelCatalogue.builtIn()));
  private static final TopicPartition VERSIONS = new TopicPartition(NAMES.versions(), 0);
  private static final TopicPartition SOURCE = new TopicPartition("in", 0);
  private static final ProgramVersions FIRST = ProgramVersions.first(program());

  /** Committed records of the versions topic: keys and values. */
  private final List<byte[][]> log = new CopyOnWriteArrayList<>();

  /** Committed offsets by group. */
  private final Map<String, Map<TopicPartition, OffsetAndMetadata>> offsets = new HashMap<>();

  private final List<TransactionalProducer> producers = new ArrayList<>();

  /** What happens before the next transaction begins. */
  private Runnable meanwhile = () -> {};

  private final List<VersionTopic> topics = new ArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC());

  private static Program program() {
    try {
      return new ProgramParser(ModelCatalogue.builtIn())
          .parse(
              """
              program: p
              sources: { messages: { topic: in } }
              results: { topic: out }
              operators: [{ map: topic, instruction: Which?, writes: { topic: { type: string } } }]
              """);
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  /** Its records appear on the topic when it commits; the next one fences it. */
  private final class TransactionalProducer extends MockProducer<byte[], byte[]> {
    TransactionalProducer() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void initTransactions() {
      super.initTransactions();
      producers.stream().filter(other -> !other.closed()).forEach(MockProducer::fenceProducer);
      producers.add(this);
    }

    @Override
    public void beginTransaction() {
      Runnable next = meanwhile;
      meanwhile = () -> {};
      next.run();
      super.beginTransaction();
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      history().forEach(record -> log.add(new byte[][] {record.key(), record.value()}));
      consumerGroupOffsetsHistory().forEach(offsets::putAll);
    }
  }

  private final class CommittedConsumer extends MockConsumer<byte[], byte[]> {
    private int next;

    CommittedConsumer() {
      super("earliest");
      updateBeginningOffsets(Map.of(VERSIONS, 0L));
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      for (; next < log.size(); next++) {
        addRecord(
            new ConsumerRecord<>(VERSIONS.topic(), 0, next, log.get(next)[0], log.get(next)[1]));
      }
      return super.poll(timeout);
    }
  }

  private VersionTopic open() {
    VersionTopic topic =
        new VersionTopic(
            new CommittedConsumer(),
            NAMES,
            new VersionTopic.Clients() {
              @Override
              public Producer<byte[], byte[]> producer(String transactionalId) {
                assertThat(transactionalId).isEqualTo(NAMES.versionChange("p"));
                return new TransactionalProducer();
              }

              @Override
              @SuppressWarnings("removal") // Consumers need a broker.
              public ConsumerGroupMetadata group(String id) {
                return new ConsumerGroupMetadata(id);
              }
            },
            CODEC,
            log::size,
            supervisor,
            _ -> {});
    topics.add(topic);
    until(topic::isCaughtUp);
    return topic;
  }

  @AfterEach
  void close() {
    topics.forEach(VersionTopic::close);
  }

  @Test
  void aTransitionCommitsTheStateAndTheOffsetsOfTheNextVersion() throws Exception {
    VersionTopic topic = open();
    assertThat(topic.replace("p", null, FIRST, Map.of())).isTrue();
    assertThat(topic.versions("p")).isEqualTo(FIRST);

    ProgramVersions next = FIRST.stopped(1L).started(program(), Map.of(SOURCE, 7L), 1);
    assertThat(topic.replace("p", FIRST, next, Map.of(SOURCE, 7L))).isTrue();
    assertThat(offsets)
        .containsExactly(Map.entry("abacus-p-v.2", Map.of(SOURCE, new OffsetAndMetadata(7))));
    assertThat(open().versions("p")).as("another worker").isEqualTo(next);
  }

  @Test
  void aWorkerThatExpectsAnOlderStateWritesNothing() throws Exception {
    VersionTopic topic = open();
    VersionTopic other = open();
    assertThat(topic.replace("p", null, FIRST, Map.of())).isTrue();
    assertThat(other.replace("p", null, FIRST, Map.of())).isFalse();
    assertThat(log).hasSize(1);
  }

  @Test
  void aWorkerThatIsSuspendedInATransitionIsFenced() throws Exception {
    VersionTopic fast = open();
    assertThat(fast.replace("p", null, FIRST, Map.of())).isTrue();
    VersionTopic slow = open();
    meanwhile = () -> assertThat(replaced(fast, FIRST.stopped(1L))).isTrue();
    assertThat(slow.replace("p", FIRST, FIRST.stopped(2L), Map.of(SOURCE, 9L))).isFalse();
    assertThat(log).hasSize(2);
    assertThat(offsets).isEmpty();
    slow.refresh();
    assertThat(slow.versions("p")).isEqualTo(FIRST.stopped(1L));
  }

  private static boolean replaced(VersionTopic topic, ProgramVersions next) {
    try {
      return topic.replace("p", FIRST, next, Map.of());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void unreadableRecordsAreSkippedAndTombstonesRemove() throws Exception {
    VersionTopic topic = open();
    assertThat(topic.replace("p", null, FIRST, Map.of())).isTrue();
    log.add(new byte[][] {bytes("p"), bytes("{")});
    until(() -> supervisor.threads().stream().mapToLong(ThreadStatus::skipped).sum() == 1);
    assertThat(topic.versions("p")).isEqualTo(FIRST);
    log.add(new byte[][] {bytes("p"), null});
    topic.refresh();
    assertThat(topic.versions("p")).isNull();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
