package dev.abacus.topology.reference.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The restore of a reference after a restart, from its topic and its embedded topic. */
@Timeout(30)
class ReferenceFollowerTest {

  private static final TopicPartition REFERENCE = new TopicPartition("items", 0);
  private static final TopicPartition EMBEDDED = new TopicPartition("items.embedded", 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final ReferenceCollection collection =
      new ReferenceCollection("items", "label", ExactIndex::new);
  private final CountDownLatch complete = new CountDownLatch(1);
  private final CompletableFuture<ReferenceFollower> follower = new CompletableFuture<>();

  /** Starts a follower; the topics hold so many records at that time. */
  private ReferenceFollower follow(long referenceRecords, long embeddedRecords) {
    for (TopicPartition partition : List.of(REFERENCE, EMBEDDED)) {
      consumer.updatePartitions(
          partition.topic(), List.of(new PartitionInfo(partition.topic(), 0, null, null, null)));
    }
    consumer.updateBeginningOffsets(Map.of(REFERENCE, 0L, EMBEDDED, 0L));
    consumer.updateEndOffsets(Map.of(REFERENCE, referenceRecords, EMBEDDED, embeddedRecords));
    ReferenceFollower started =
        new ReferenceFollower(
            consumer,
            REFERENCE.topic(),
            EMBEDDED.topic(),
            collection,
            new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()),
            complete::countDown);
    follower.complete(started);
    return started;
  }

  @AfterEach
  void close() {
    if (follower.isDone()) {
      follower.join().close();
    }
  }

  private void item(long offset, String key, @Nullable String value) {
    byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    consumer.addRecord(new ConsumerRecord<>(REFERENCE.topic(), 0, offset, bytes(key), bytes));
  }

  /** An embedded item with the position of its source in the reference topic. */
  private void embedded(long offset, String key, long source, byte @Nullable [] value) {
    embedded(offset, key, 0, source, value);
  }

  private void embedded(
      long offset, String key, int partition, long source, byte @Nullable [] value) {
    Headers headers = new ProducerRecord<>(EMBEDDED.topic(), value).headers();
    headers.add(
        ImmutableHeader.of(
            dev.abacus.schemas.kafka.Headers.SOURCE,
            new RecordPosition(REFERENCE.topic(), partition, source).toString()));
    consumer.addRecord(
        new ConsumerRecord<>(
            EMBEDDED.topic(),
            0,
            offset,
            0,
            TimestampType.CREATE_TIME,
            0,
            0,
            bytes(key),
            value,
            headers,
            Optional.empty()));
  }

  private static byte[] vector(float... values) {
    return EmbeddedItemCodec.LAYOUT.toBytes(
        new EmbeddedItem("hash", bytes("{}"), Map.of("e", values), Map.of()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aReferenceIsCompleteOnceTheLatestVersionOfEveryItemHasArrived() throws Exception {
    AtomicReference<String> between = new AtomicReference<>();
    consumer.schedulePollTask(() -> {
      item(0, "a", "old");
      item(1, "b", "b");
      item(2, "a", "new");
    });
    consumer.schedulePollTask(() -> {
      embedded(0, "a", 0, vector(1, 0));
      embedded(1, "b", 1, vector(0, 1));
    });
    consumer.schedulePollTask(() -> {
      ReferenceFollower now = follower.join(); // the thread may poll before it is there
      between.set(now.isRestored() + " " + now.isComplete() + " " + now.progress());
      embedded(2, "a", 2, vector(0, 1));
    });
    ReferenceFollower started = follow(3, 2);
    complete.await();

    assertThat(between.get()).startsWith("true false").contains("1", "2");
    assertThat(started.isComplete()).isTrue();
    assertThat(collection.size()).isEqualTo(2);
    assertThat(collection.nearest("e", Embedding.of(0, 1), 2))
        .extracting(candidate -> candidate.item().id())
        .containsExactly("a", "b");
  }

  /** The embedded item of the first record is gone: compaction kept that of the second. */
  @Test
  void anItemWhoseKeyMovedToAPartitionThatWasAddedIsNotMissing() throws Exception {
    consumer.schedulePollTask(() -> item(7, "a", "before the partition was added"));
    consumer.schedulePollTask(() -> embedded(9, "a", 1, 0, vector(1, 0)));
    follow(8, 10);
    complete.await();
    assertThat(collection.size()).isEqualTo(1);
  }

  @Test
  void aRemovedItemWhoseTombstoneWasCompactedIsNotMissing() throws Exception {
    consumer.schedulePollTask(() -> item(0, "gone", null));
    follow(1, 0);
    complete.await();
    assertThat(collection.size()).isZero();
  }

  @Test
  void aDamagedItemCountsAsArrivedAndDoesNotStopTheFollower() throws Exception {
    consumer.schedulePollTask(() -> {
      item(0, "a", "a");
      item(1, "b", "b");
    });
    consumer.schedulePollTask(() -> {
      embedded(0, "a", 0, new byte[] {9, 9});
      embedded(1, "b", 1, vector(1, 0));
    });
    follow(2, 2);
    complete.await();
    assertThat(collection.contains("a")).isFalse();
    assertThat(collection.contains("b")).isTrue();
  }
}
