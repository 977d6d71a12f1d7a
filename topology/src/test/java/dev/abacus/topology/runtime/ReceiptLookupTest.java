package dev.abacus.topology.runtime;

import static dev.abacus.topology.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.supervision.ThreadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading receipts. */
class ReceiptLookupTest extends ReceiptTopicFixture {

  @Test
  void receiptsFromThePositionOnAreFoundUntilClosed() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 1);
      assertThat(snapshot.find("mid")).isEqualTo("answer mid".getBytes(UTF_8));
      assertThat(snapshot.find("new")).isEqualTo("answer new".getBytes(UTF_8));
      assertThat(snapshot.find("other")).isNull();
      assertThat(receipts.position(2)).isEqualTo(3);
      snapshot.close();
      assertThat(snapshot.find("mid")).isNull();
    }
  }

  @Test
  void aPositionOfAFormerTopicStandsForTheBeginning() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 99)) {
      assertThat(snapshot.find("old")).isNotNull();
    }
  }

  @Test
  void readingIsRepeatedUntilTheTopicAnswers() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    Supplier<Consumer<byte[], byte[]>> flaky =
        () -> {
          if (attempts.incrementAndGet() == 1) {
            throw new KafkaException("unreachable");
          }
          return consumer();
        };
    try (ReceiptTopic receipts = topic(flaky);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      assertThat(snapshot.find("mid")).isNotNull();
    }
    assertThat(attempts).hasValue(2);
  }

  @Test
  @Timeout(30)
  void anErrorInTheReaderIsInTheStatusUntilReadingSucceeds() throws Exception {
    List<ThreadStatus> seen = new CopyOnWriteArrayList<>();
    AtomicInteger attempts = new AtomicInteger();
    Supplier<Consumer<byte[], byte[]>> flaky =
        () -> {
          if (attempts.incrementAndGet() == 1) {
            throw new StackOverflowError("deep");
          }
          seen.addAll(supervisor.troubled());
          return consumer();
        };
    try (ReceiptTopic receipts = topic(flaky);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      assertThat(snapshot.find("mid")).isNotNull();
      until(() -> supervisor.troubled().isEmpty());
    }
    assertThat(seen)
        .singleElement()
        .satisfies(status -> assertThat(status.describe()).contains("p.receipts-2", "deep"));
  }

  @Test
  @Timeout(30)
  void aReaderThatCannotContinueEndsTheProcessAndRepeatsNoCall() throws Exception {
    Supplier<Consumer<byte[], byte[]>> broken =
        () -> {
          throw new NoClassDefFoundError("Consumer");
        };
    try (ReceiptTopic receipts = topic(broken);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      CompletableFuture<byte @Nullable []> found = lookup(snapshot, "mid");
      assertThat(supervisor.failure().get(20, TimeUnit.SECONDS).state())
          .isEqualTo(ThreadStatus.State.FAILED);
      assertThat(found).isNotDone();
    }
  }

  @Test
  void aLookupWaitsUntilReadingIsAllowed() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    Supplier<Consumer<byte[], byte[]>> forbiddenAtFirst =
        () -> {
          if (attempts.incrementAndGet() == 1) {
            throw new TopicAuthorizationException("p.receipts");
          }
          return consumer();
        };
    try (ReceiptTopic receipts = topic(forbiddenAtFirst);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      assertThat(snapshot.find("mid")).isNotNull();
    }
    assertThat(attempts).hasValue(2);
  }

  /** Kafka deletes all receipts while a paused program has restored documents. */
  @Test
  @Timeout(30)
  void aLookupEndsIfItsReceiptAndAllBehindItAreDeleted() throws Exception {
    AtomicBoolean deleted = new AtomicBoolean();
    MockConsumer<byte[], byte[]> consumer =
        new TopicConsumer() {
          @Override
          public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (deleted.get() && !assignment().isEmpty() && position(PARTITION) < 3) {
              super.seek(PARTITION, 3); // as auto.offset.reset=earliest does
            }
            return super.poll(timeout);
          }
        };
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    consumer.schedulePollTask(() -> {
      consumer.addRecord(record(0, "old", "answer"));
      consumer.addRecord(record(1, "mid", "answer"));
      consumer.addRecord(record(2, "new", "answer"));
    });
    try (ReceiptTopic receipts = topic(() -> consumer);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      assertThat(snapshot.find("mid")).isNotNull();
      deleted.set(true);
      assertThat(lookup(snapshot, "mid").get(10, TimeUnit.SECONDS)).isNull();
    }
  }
}
