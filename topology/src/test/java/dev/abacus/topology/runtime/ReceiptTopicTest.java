package dev.abacus.topology.runtime;

import static dev.abacus.topology.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writing receipts. */
class ReceiptTopicTest extends ReceiptTopicFixture {

  /** The partition that a mock of a producer acknowledges, whatever it was sent to. */
  private static final int ANSWERED = 0;

  @Test
  void aReceiptIsWrittenToTheTasksPartitionUnderItsHash() {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      receipts.write(2, "hash", "answer".getBytes(UTF_8));
      producer.completeNext();
      assertThat(receipts.position(ANSWERED)).isEqualTo(1);
    }
    assertThat(producer.history()).hasSize(1);
    assertThat(producer.history().getFirst().partition()).isEqualTo(2);
    assertThat(producer.history().getFirst().key()).isEqualTo("hash".getBytes(UTF_8));
  }

  /** Counts the attempts that a producer reports as failed. */
  public static final class Failures implements ProducerInterceptor<byte[], byte[]> {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      return record;
    }

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata sent, @Nullable Exception failure) {
      COUNT.addAndGet(failure == null ? 0 : 1);
    }

    @Override
    public void configure(Map<String, ?> properties) {}

    @Override
    public void close() {}
  }

  /** A real producer: a mock throws from {@code send} what this one reports in the callback. */
  @Test
  @Timeout(30)
  void aReceiptKeepsItsPlaceAndIsSentAgainWhileKafkaCannotTakeIt() {
    Map<String, Object> unreachable =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:1",
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            20,
            ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
            Failures.class.getName());
    CompletableFuture<Void> next = new CompletableFuture<>();
    try (ReceiptTopic receipts =
        ReceiptTopic.open("p.receipts", unreachable, 1_000_000, services)) {
      for (int i = 0; i < 4; i++) {
        receipts.write(2, "hash " + i, new byte[1]);
      }
      until(() -> Failures.COUNT.get() >= 12);
      Thread caller = Thread.ofPlatform().start(() -> start(next));
      until(caller, Thread.State.WAITING);
      assertThat(next).as("a call at the bound").isNotDone();
    }
    next.join();
  }

  /** Without brokers, the producer waits for a minute with each record. */
  @Test
  @Timeout(30)
  void aTaskThatIsClosedWhileKafkaIsAwayHandsOverInTime() {
    Map<String, Object> unreachable =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
    ReceiptTopic receipts = ReceiptTopic.open("p.receipts", unreachable, 1_000_000, services);
    receipts.closing(2, List.of("hash 1", "hash 2"));

    receipts.handOver(2, List.of("hash 1", "hash 2"));
    receipts.closeBy(System.nanoTime());
  }

  @Test
  @Timeout(30)
  void theProducerKnowsTheTopicBeforeACallStarts() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    MockProducer<byte[], byte[]> asking =
        new MockProducer<>(
            true,
            new RoundRobinPartitioner(),
            new ByteArraySerializer(),
            new ByteArraySerializer()) {
          @Override
          public synchronized List<PartitionInfo> partitionsFor(String topic) {
            asked.incrementAndGet();
            return super.partitionsFor(topic);
          }
        };
    try (ReceiptTopic receipts =
        new ReceiptTopic("p.receipts", asking, ReceiptTopicFixture::consumer, services)) {
      assertThat(receipts.snapshot(2, 0).find("none")).isNull();
      assertThat(asked).hasPositiveValue();
    }
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
      until(caller, Thread.State.WAITING);
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
  void aReceiptThatKafkaRefusesIsDropped() {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      receipts.write(2, "first", new byte[1]);
      producer.errorNext(new RecordTooLargeException("too large"));
      producer.sendException = new RecordTooLargeException("too large");
      receipts.write(2, "second", new byte[1]);
      producer.sendException = null;
      receipts.write(2, "third", new byte[1]);
      assertThat(receipts.position(ANSWERED)).isZero();
      producer.completeNext();
      assertThat(receipts.position(ANSWERED)).isPositive();
    }
  }
}
