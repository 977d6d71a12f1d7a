package dev.abacus.topology.runtime;

import static dev.abacus.topology.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.supervision.ThreadStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
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
}
