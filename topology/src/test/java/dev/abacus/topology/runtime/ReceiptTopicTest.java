package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writing receipts. */
class ReceiptTopicTest extends ReceiptTopicFixture {

  @Test
  void aReceiptIsWrittenToTheTasksPartitionUnderItsHash() {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      receipts.write(2, "hash", "answer".getBytes(UTF_8));
      producer.completeNext();
    }
    assertThat(producer.history()).hasSize(1);
    assertThat(producer.history().getFirst().partition()).isEqualTo(2);
    assertThat(producer.history().getFirst().key()).isEqualTo("hash".getBytes(UTF_8));
    assertThat(listener.receiptsWritten).hasValue(1);
  }

  @Test
  void aReceiptIsSentAgainWhileKafkaCannotTakeIt() {
    AtomicInteger attempts = new AtomicInteger();
    MockProducer<byte[], byte[]> full =
        new MockProducer<>(
            true,
            new RoundRobinPartitioner(),
            new ByteArraySerializer(),
            new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (attempts.incrementAndGet() < 4) {
              throw new TimeoutException("the buffer is full");
            }
            return super.send(record, callback);
          }
        };
    try (ReceiptTopic receipts =
        new ReceiptTopic("p.receipts", full, ReceiptTopicFixture::consumer, services)) {
      receipts.write(2, "hash", new byte[1]);
    }
    assertThat(attempts).hasValue(4);
    assertThat(full.history()).hasSize(1);
  }

  @Test
  @Timeout(30)
  void noFurtherCallStartsWhileKafkaHasNotAcknowledgedEarlierReceipts() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      for (int i = 0; i < 3; i++) {
        receipts.write(2, "hash " + i, new byte[1]);
      }
      program.start(); // is the last that may run
      CompletableFuture<Void> next = new CompletableFuture<>();
      Thread caller = Thread.ofPlatform().start(() -> start(next));
      while (caller.getState() != Thread.State.WAITING) {
        assertThat(caller.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      program.end();
      next.join();
      receipts.write(2, "hash 3", new byte[1]); // an answer is recorded without a wait
      assertThat(producer.history()).hasSize(4);

      Thread last = Thread.ofPlatform().start(() -> start(new CompletableFuture<>()));
      producer.errorNext(new RecordTooLargeException("too large"));
      producer.completeNext();
      last.join();
    }
  }

  @Test
  void anInterruptedThreadWritesItsReceiptAndStaysInterrupted() {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      Thread.currentThread().interrupt();
      receipts.write(2, "hash", new byte[1]);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void aReceiptThatKafkaRefusesIsCountedAndDropped() {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      receipts.write(2, "first", new byte[1]);
      producer.errorNext(new RecordTooLargeException("too large"));
      producer.sendException = new RecordTooLargeException("too large");
      receipts.write(2, "second", new byte[1]);
      producer.sendException = null;
      receipts.write(2, "third", new byte[1]);
      producer.completeNext();
    }
    assertThat(listener.receiptsFailed).hasValue(2);
    assertThat(listener.receiptsWritten).hasValue(1);
  }
}
