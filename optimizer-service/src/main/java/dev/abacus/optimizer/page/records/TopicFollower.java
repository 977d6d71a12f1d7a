package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Reads topics, also those that are created later, and passes each record on once. */
final class TopicFollower implements Supervisor.Step {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LOOK_FOR_TOPICS = Duration.ofSeconds(2);
  private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(5);

  private final Supplier<Consumer<byte[], byte[]>> open;
  private final Supplier<? extends Collection<String>> topics;
  private final long tail;
  private final java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> handler;
  private final InstantSource clock;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private Instant lookAt = Instant.EPOCH;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * Creates a follower.
   *
   * @param open opens a consumer without a group
   * @param topics the topics that are wanted now; missing ones are awaited
   * @param tail most records to read of a partition that existed before
   */
  TopicFollower(
      Supplier<Consumer<byte[], byte[]>> open,
      Supplier<? extends Collection<String>> topics,
      long tail,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> handler,
      InstantSource clock) {
    this.open = open;
    this.topics = topics;
    this.tail = tail;
    this.handler = handler;
    this.clock = clock;
  }

  @Override
  public Duration run(ThreadHealth health) {
    Consumer<byte[], byte[]> reader = consumer;
    if (reader == null) {
      reader = open.get();
      consumer = reader;
      lookAt = Instant.EPOCH;
    }
    try {
      if (!clock.instant().isBefore(lookAt)) {
        assign(reader);
        lookAt = clock.instant().plus(LOOK_FOR_TOPICS);
      }
      if (reader.assignment().isEmpty()) {
        return POLL;
      }
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        handler.accept(record);
        positions.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
      }
      return Duration.ZERO;
    } catch (WakeupException e) {
      return Duration.ZERO;
    } catch (RuntimeException e) {
      release();
      throw e;
    }
  }

  private void assign(Consumer<byte[], byte[]> reader) {
    Set<TopicPartition> wanted = new HashSet<>();
    for (String topic : topics.get()) {
      List<PartitionInfo> infos = reader.partitionsFor(topic, METADATA_TIMEOUT);
      if (infos != null) {
        infos.forEach(info -> wanted.add(new TopicPartition(topic, info.partition())));
      }
    }
    Set<TopicPartition> added = new HashSet<>(wanted);
    added.removeAll(reader.assignment());
    if (wanted.equals(reader.assignment())) {
      return;
    }
    reader.assign(wanted);
    Map<TopicPartition, Long> begins = reader.beginningOffsets(added);
    Map<TopicPartition, Long> ends = reader.endOffsets(added);
    for (TopicPartition partition : added) {
      long begin = begins.getOrDefault(partition, 0L);
      long from = Math.max(begin, ends.getOrDefault(partition, 0L) - tail);
      reader.seek(partition, Math.max(begin, positions.getOrDefault(partition, from)));
    }
  }

  /** Ends a waiting poll; called on another thread. */
  void wakeUp() {
    Consumer<byte[], byte[]> reader = consumer;
    if (reader != null) {
      reader.wakeup();
    }
  }

  /** Closes the consumer; a later step opens a new one at the same position. */
  void release() {
    Consumer<byte[], byte[]> reader = consumer;
    consumer = null;
    if (reader != null) {
      reader.close();
    }
  }
}
