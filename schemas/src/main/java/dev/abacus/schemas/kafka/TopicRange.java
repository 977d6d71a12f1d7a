package dev.abacus.schemas.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * A part of a topic that is read once: from a position of each partition to the end that it had
 * then.
 *
 * @param from offset of the first record to read, by partition
 * @param end offset behind the last record to read, of the same partitions
 */
public record TopicRange(Map<TopicPartition, Long> from, Map<TopicPartition, Long> end) {

  private static final Duration POLL = Duration.ofMillis(200);

  public TopicRange {
    from = Map.copyOf(from);
    end = Map.copyOf(end);
  }

  /**
   * All that a topic holds now. Of a topic that the broker does not know, nothing.
   *
   * @param consumer without members in its group; its assignment changes
   */
  public static TopicRange all(Consumer<?, ?> consumer, String topic) {
    Collection<TopicPartition> partitions = partitions(consumer, List.of(topic));
    // Otherwise the client warns that it cannot keep what it learns.
    consumer.assign(partitions);
    return new TopicRange(consumer.beginningOffsets(partitions), consumer.endOffsets(partitions));
  }

  /** The partitions of topics. A topic that the broker does not know has none. */
  public static List<TopicPartition> partitions(
      Consumer<?, ?> consumer, Collection<String> topics) {
    return topics.stream()
        .map(consumer::partitionsFor)
        // Kafka returns null for a topic that it does not know.
        .flatMap(infos -> infos == null ? Stream.of() : infos.stream())
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }

  /** This range without what is before the given offsets. */
  public TopicRange startingAt(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, Long> later = new HashMap<>(from);
    offsets.forEach((partition, offset) ->
        later.computeIfPresent(partition, (_, first) -> Math.max(first, offset)));
    return new TopicRange(later, end);
  }

  /** This range without the records before a time, in milliseconds since 1970. */
  public TopicRange since(Consumer<?, ?> consumer, long time) {
    Map<TopicPartition, Long> times = new HashMap<>();
    end.keySet().forEach(partition -> times.put(partition, time));
    Map<TopicPartition, Long> starts = new HashMap<>();
    // Kafka gives null if all records of a partition are older.
    consumer
        .offsetsForTimes(times)
        .forEach((partition, first) ->
            starts.put(
                partition, first == null ? end.getOrDefault(partition, 0L) : first.offset()));
    return startingAt(starts);
  }

  /**
   * Reads the range.
   *
   * @param consumer as for {@link #all}
   * @param patience longest time without progress
   * @throws TimeoutException if nothing arrives for that long
   */
  public <K, V> void read(
      Consumer<K, V> consumer,
      Duration patience,
      java.util.function.Consumer<ConsumerRecord<K, V>> visitor) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    long left = left(consumer);
    long progress = System.nanoTime();
    while (left > 0) {
      for (ConsumerRecord<K, V> record : consumer.poll(POLL)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (record.offset() < end.getOrDefault(partition, 0L)) {
          visitor.accept(record);
        }
      }
      long now = left(consumer);
      if (now < left) {
        left = now;
        progress = System.nanoTime();
      } else if (System.nanoTime() - progress > patience.toNanos()) {
        throw new TimeoutException(
            "%d records of %s cannot be read: nothing arrives for %d s"
                .formatted(left, end.keySet(), patience.toSeconds()));
      }
    }
  }

  /** Whether a consumer of these partitions is at the end of the range. */
  public boolean isRead(Consumer<?, ?> consumer) {
    return left(consumer) == 0;
  }

  private long left(Consumer<?, ?> consumer) {
    return end.entrySet().stream()
        .mapToLong(one -> Math.max(0, one.getValue() - consumer.position(one.getKey())))
        .sum();
  }
}
