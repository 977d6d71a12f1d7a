package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReceiptTopicTest {

  private static final TopicPartition PARTITION = new TopicPartition("p.receipts", 2);

  private final CountingListener listener = new CountingListener();
  private final Supervisor supervisor =
      new Supervisor(
          new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(5), 100, _ -> false),
          Clock.systemUTC());
  private final OpenCalls calls = new OpenCalls(4);
  private final OpenCalls.OfProgram program = calls.ofProgram();
  private final ReceiptTopic.Services services =
      new ReceiptTopic.Services(calls, listener, supervisor);
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(
          false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());

  private ReceiptTopic topic(Supplier<Consumer<byte[], byte[]>> consumers) {
    return new ReceiptTopic("p.receipts", producer, consumers, services);
  }

  /** A partition of three receipts, the first of them old. */
  private static MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    consumer.schedulePollTask(() -> {
      int offset = 0;
      for (String text : List.of("old", "mid", "new")) {
        consumer.addRecord(record(offset++, text, "answer " + text));
      }
    });
    return consumer;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      long offset, String key, @Nullable String value) {
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset,
        key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  private static ConsumerRecord<byte[], byte[]> running(long offset, String key) {
    ConsumerRecord<byte[], byte[]> record = record(offset, key, "");
    record.headers().add(ReceiptTopic.RUNNING, new byte[0]);
    return record;
  }

  private static CompletableFuture<byte @Nullable []> lookup(
      ReceiptLog.Snapshot snapshot, String hash) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return snapshot.find(hash);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        Thread::startVirtualThread);
  }

  @Test
  void aReceiptIsWrittenToTheTasksPartitionUnderItsHash() {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
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
        new ReceiptTopic("p.receipts", full, ReceiptTopicTest::consumer, services)) {
      receipts.write(2, "hash", new byte[1]);
    }
    assertThat(attempts).hasValue(4);
    assertThat(full.history()).hasSize(1);
  }

  @Test
  @Timeout(30)
  void noFurtherCallStartsWhileKafkaHasNotAcknowledgedEarlierReceipts() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
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

  private void start(CompletableFuture<Void> started) {
    try {
      program.start();
      started.complete(null);
    } catch (InterruptedException e) {
      started.completeExceptionally(e);
    }
  }

  @Test
  void anInterruptedThreadWritesItsReceiptAndStaysInterrupted() {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
      Thread.currentThread().interrupt();
      receipts.write(2, "hash", new byte[1]);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void aReceiptThatKafkaRefusesIsCountedAndDropped() {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
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

  @Test
  void receiptsFromThePositionOnAreFoundUntilClosed() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
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
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer);
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
      while (!supervisor.troubled().isEmpty()) {
        Thread.onSpinWait();
      }
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
    assertThat(listener.receiptsFailed).hasValue(1);
  }

  @Test
  void aLookupWaitsForACallThatWasHandedOver() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    consumer.schedulePollTask(() -> {
      consumer.addRecord(running(0, "answered"));
      consumer.addRecord(running(1, "ended"));
    });
    try (ReceiptTopic receipts = topic(() -> consumer);
        ReceiptLog.Snapshot snapshot = receipts.snapshot(2, 0)) {
      CompletableFuture<byte @Nullable []> answered = lookup(snapshot, "answered");
      CompletableFuture<byte @Nullable []> ended = lookup(snapshot, "ended");
      assertThat(lookup(snapshot, "other").join()).isNull();
      assertThat(answered).isNotDone();
      assertThat(ended).isNotDone();

      consumer.schedulePollTask(() -> {
        consumer.addRecord(record(2, "answered", "late"));
        consumer.addRecord(record(3, "ended", null));
      });
      assertThat(answered.join()).isEqualTo("late".getBytes(UTF_8));
      assertThat(ended.join()).isNull();
    }
  }

  @Test
  @Timeout(30)
  void aCallOfADeadProcessIsGivenUpAndItsAnswerIsReadBefore() throws Exception {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    consumer.schedulePollTask(() -> {
      consumer.addRecord(running(0, "dead"));
      consumer.addRecord(running(1, "answered"));
      consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    });
    consumer.schedulePollTask(() -> {});
    consumer.schedulePollTask(() -> consumer.addRecord(record(2, "answered", "late")));
    ReceiptTopicSnapshot snapshot =
        new ReceiptTopicSnapshot(PARTITION, 0, Duration.ZERO, () -> false);

    snapshot.read(consumer, _ -> {});

    assertThat(snapshot.find("dead")).isNull();
    assertThat(snapshot.find("answered")).isEqualTo("late".getBytes(UTF_8));
  }

  @Test
  @Timeout(30)
  void aProcessThatStopsRecordsRunningCallsAndStartsNoOther() throws Exception {
    ReceiptTopic receipts = topic(ReceiptTopicTest::consumer);
    TaskReceipts task = TaskReceipts.open(receipts, 2, 0, listener);
    assertThat(task.find("running")).isNull();
    Thread closer = Thread.ofPlatform().start(receipts::close);
    while (closer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    Thread late =
        Thread.ofPlatform()
            .start(() -> {
              try {
                task.find("late");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    while (late.getState() != Thread.State.TIMED_WAITING) {
      assertThat(late.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    assertThat(task.find("mid")).isNotNull();
    assertThat(producer.closed()).isFalse();

    task.record("running", "answer".getBytes(UTF_8));
    closer.join();
    late.interrupt();
    late.join();
    assertThat(last("running")).isEqualTo("answer".getBytes(UTF_8));
  }

  @Test
  void aTaskHandsItsRunningCallsOverAndRecordsTheirAnswers() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicTest::consumer)) {
      TaskReceipts task = TaskReceipts.open(receipts, 2, 0, listener);
      assertThat(task.find("running")).isNull();
      assertThat(task.find("failing")).isNull();
      assertThat(task.find("done")).isNull();
      task.record("done", new byte[1]);
      task.close();
      task.record("running", "answer".getBytes(UTF_8));
      task.giveUp("failing");
    }
    assertThat(producer.history())
        .filteredOn(record -> record.headers().lastHeader(ReceiptTopic.RUNNING) != null)
        .extracting(record -> new String(record.key(), UTF_8))
        .containsExactlyInAnyOrder("running", "failing");
    assertThat(last("running")).isEqualTo("answer".getBytes(UTF_8));
    assertThat(last("failing")).isNull();
  }

  @Test
  void aCallThatEndsWhileItIsHandedOverIsNotAwaited() throws Exception {
    List<TaskReceipts> tasks = new ArrayList<>();
    List<ProducerRecord<byte[], byte[]>> written = new ArrayList<>();
    MockProducer<byte[], byte[]> racing =
        new MockProducer<>(
            true,
            new RoundRobinPartitioner(),
            new ByteArraySerializer(),
            new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (record.headers().lastHeader(ReceiptTopic.RUNNING) != null) {
              tasks.getFirst().giveUp("failing");
            }
            written.add(record);
            return super.send(record, callback);
          }
        };
    try (ReceiptTopic receipts =
        new ReceiptTopic("p.receipts", racing, ReceiptTopicTest::consumer, services)) {
      tasks.add(TaskReceipts.open(receipts, 2, 0, listener));
      assertThat(tasks.getFirst().find("failing")).isNull();
      tasks.getFirst().close();
    }
    assertThat(written.getLast().headers().lastHeader(ReceiptTopic.RUNNING))
        .as("the last statement is that the call has ended")
        .isNull();
  }

  private byte @Nullable [] last(String hash) {
    return producer.history().stream()
        .filter(record -> new String(record.key(), UTF_8).equals(hash))
        .reduce((_, later) -> later)
        .orElseThrow()
        .value();
  }
}
