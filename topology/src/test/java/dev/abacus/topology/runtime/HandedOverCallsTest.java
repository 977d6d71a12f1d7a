package dev.abacus.topology.runtime;

import static dev.abacus.topology.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that run while their task moves to another process. */
class HandedOverCallsTest extends ReceiptTopicFixture {

  private TaskReceipts task(ReceiptTopic receipts, Ownership ownership) {
    return new TaskReceipts(receipts, 2, receipts.snapshot(2, 0), ownership);
  }

  @Test
  void aLookupWaitsForACallThatWasHandedOver() {
    TopicConsumer consumer = new TopicConsumer();
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
    TopicConsumer consumer = new TopicConsumer();
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    consumer.schedulePollTask(() -> {
      consumer.addRecord(running(0, "dead"));
      consumer.addRecord(running(1, "answered"));
      consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    });
    consumer.schedulePollTask(() -> {});
    consumer.schedulePollTask(() -> consumer.addRecord(record(2, "answered", "late")));
    try (ReceiptTopicSnapshot snapshot =
        new ReceiptTopicSnapshot(PARTITION, 0, Duration.ZERO, () -> false)) {
      assertThat(snapshot.read(consumer)).isEqualTo(2);
      Thread.startVirtualThread(() -> serve(snapshot, consumer));

      assertThat(snapshot.find("dead")).isNull();
      assertThat(snapshot.find("answered")).isEqualTo("late".getBytes(UTF_8));
    }
  }

  @Test
  @Timeout(30)
  void aProcessThatStopsRecordsRunningCallsAndStartsNoOther() throws Exception {
    ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer);
    TaskReceipts task = task(receipts, Ownership.ALONE);
    assertThat(task.find("running")).isNull();
    Thread closer = Thread.ofPlatform().start(receipts::close);
    until(closer, Thread.State.TIMED_WAITING);
    Thread late =
        Thread.ofPlatform()
            .start(() -> {
              try {
                task.find("late");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    until(late, Thread.State.TIMED_WAITING);
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
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      TaskReceipts task = task(receipts, Ownership.ALONE);
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
  @Timeout(30)
  void aTaskIsNotGivenAwayBeforeItsReceiptsAreInTheTopic() throws Exception {
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      TaskReceipts task = task(receipts, Ownership.ALONE);
      assertThat(task.find("done")).isNull();
      task.record("done", new byte[1]);
      Thread closer = Thread.ofPlatform().start(task::close);
      until(closer, Thread.State.TIMED_WAITING); // for Kafka
      producer.completeNext();
      closer.join();
    }
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
        new ReceiptTopic("p.receipts", racing, ReceiptTopicFixture::consumer, services)) {
      tasks.add(task(receipts, Ownership.ALONE));
      assertThat(tasks.getFirst().find("failing")).isNull();
      tasks.getFirst().close();
    }
    assertThat(written.getLast().headers().lastHeader(ReceiptTopic.RUNNING))
        .as("the last statement is that the call has ended")
        .isNull();
  }

  @Test
  @Timeout(30)
  void noAttemptIsMadeForAClosedTaskOrBeforeItsOwnershipIsConfirmed() throws Exception {
    AtomicBoolean confirmed = new AtomicBoolean();
    try (ReceiptTopic receipts = topic(ReceiptTopicFixture::consumer)) {
      TaskReceipts task = task(receipts, _ -> confirmed.get());
      CompletableFuture<Boolean> first = attempt(task);
      assertThat(first).isNotDone();
      confirmed.set(true);
      assertThat(first.join()).isTrue();

      confirmed.set(false);
      CompletableFuture<Boolean> second = attempt(task);
      assertThat(second).isNotDone();
      task.close();
      assertThat(second.join()).as("the task has another owner").isFalse();
      confirmed.set(true);
      assertThat(attempt(task).join()).as("closed").isFalse();
    }
  }

  private static CompletableFuture<Boolean> attempt(TaskReceipts task) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        task.attempt();
        return true;
      } catch (InterruptedException e) {
        return false;
      }
    });
  }

  private static void serve(ReceiptTopicSnapshot snapshot, TopicConsumer consumer) {
    try {
      snapshot.serve(consumer);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
