package dev.abacus.topology.reference.feed;

import dev.abacus.topology.reference.ReferenceCollection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The items that a reference topic held when this process started, as far as the embedded topic has
 * not shown them yet. Offsets alone do not tell: items are embedded in no particular order, and the
 * embedded topic is compacted. So the newest position of every key is waited for.
 */
final class AwaitedItems {

  private static final Duration POLL = Duration.ofMillis(200);

  /** The newest record of a key. */
  private record Newest(SourcePosition position, boolean tombstone) {}

  private final Map<String, Newest> missing = new HashMap<>();

  private AwaitedItems() {}

  /** Reads the reference topic to the end that it has now. */
  static AwaitedItems read(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions, BooleanSupplier closed) {
    AwaitedItems awaited = new AwaitedItems();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (!closed.getAsBoolean()
        && ends.entrySet().stream()
            .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(POLL).forEach(awaited::expect);
    }
    return awaited;
  }

  /** A record without a key is a dead letter and never an item. */
  private void expect(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) {
      missing.put(
          SourcePosition.id(record.key()),
          new Newest(
              new SourcePosition(record.partition(), record.offset()), record.value() == null));
    }
  }

  /** Takes note of a record of the embedded topic. */
  void arrived(ConsumerRecord<byte[], byte[]> record) {
    if (missing.isEmpty()) {
      return;
    }
    String id = SourcePosition.id(record.key());
    Newest newest = missing.get(id);
    SourcePosition position = SourcePosition.of(record.headers());
    if (newest != null
        && position != null
        && position.partition() == newest.position().partition()
        && position.offset() >= newest.position().offset()) {
      missing.remove(id);
    }
  }

  /** How many items have not come yet. */
  int missing() {
    return missing.size();
  }

  /**
   * An item that was removed is not missing where there is none: its tombstone may be long gone.
   */
  boolean isNothingMissing(ReferenceCollection collection) {
    missing
        .entrySet()
        .removeIf(entry -> entry.getValue().tombstone() && !collection.contains(entry.getKey()));
    return missing.isEmpty();
  }
}
