package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A receipts topic without a broker. */
abstract class ReceiptTopicFixture {

  static final TopicPartition PARTITION = new TopicPartition("p.receipts", 2);

  final Supervisor supervisor =
      new Supervisor(
          new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(5), 100, _ -> false),
          Clock.systemUTC());
  final OpenCalls calls = new OpenCalls(4);
  final OpenCalls.OfProgram program = calls.ofProgram();
  final ReceiptTopic.Services services = new ReceiptTopic.Services(calls, supervisor);
  final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(
          false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());

  ReceiptTopic topic(Supplier<Consumer<byte[], byte[]>> consumers) {
    return new ReceiptTopic("p.receipts", producer, consumers, services);
  }

  /** A consumer that reads a record again after a seek, as that of Kafka does. */
  static class TopicConsumer extends MockConsumer<byte[], byte[]> {
    private final List<ConsumerRecord<byte[], byte[]>> topic = new ArrayList<>();

    TopicConsumer() {
      super("earliest");
    }

    @Override
    public synchronized void addRecord(ConsumerRecord<byte[], byte[]> record) {
      topic.add(record);
      super.addRecord(record);
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
      super.seek(partition, offset);
      topic.forEach(super::addRecord);
    }
  }

  /** A partition of three receipts, the first of them old. */
  static MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer = new TopicConsumer();
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

  static ConsumerRecord<byte[], byte[]> record(long offset, String key, @Nullable String value) {
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset,
        key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  static ConsumerRecord<byte[], byte[]> running(long offset, String key) {
    ConsumerRecord<byte[], byte[]> record = record(offset, key, "");
    record.headers().add(ReceiptTopic.RUNNING, new byte[0]);
    return record;
  }

  static CompletableFuture<byte @Nullable []> lookup(ReceiptLog.Snapshot snapshot, String hash) {
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

  void start(CompletableFuture<Void> started) {
    try {
      program.start();
      started.complete(null);
    } catch (InterruptedException e) {
      started.completeExceptionally(e);
    }
  }

  byte @Nullable [] last(String hash) {
    return producer.history().stream()
        .filter(record -> new String(record.key(), UTF_8).equals(hash))
        .reduce((_, later) -> later)
        .orElseThrow()
        .value();
  }
}
