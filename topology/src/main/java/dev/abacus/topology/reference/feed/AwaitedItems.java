package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.topology.reference.ReferenceCollection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The items that a reference topic held when this process started and that have not yet arrived on
 * the embedded topic. Offsets are not enough to detect them, because items are embedded in any
 * order and the embedded topic is compacted. So this class tracks the latest position of every key.
 */
final class AwaitedItems {

  private static final Duration POLL = Duration.ofMillis(200);

  /** The latest record of a key. */
  private record Latest(RecordPosition position, boolean tombstone) {}

  private final Map<String, Latest> missing = new HashMap<>();

  private AwaitedItems() {}

  /** Reads the reference topic up to its current end. */
  static AwaitedItems read(
      Consumer<byte[], byte[]> consumer, String topic, BooleanSupplier closed) {
    AwaitedItems awaited = new AwaitedItems();
    TopicRange all = TopicRange.all(consumer, topic);
    consumer.seekToBeginning(all.from().keySet());
    while (!closed.getAsBoolean() && !all.isRead(consumer)) {
      consumer.poll(POLL).forEach(awaited::expect);
    }
    return awaited;
  }

  /** Ignores records without a key, which become dead letters. */
  private void expect(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) {
      missing.put(
          RecordText.key(record), new Latest(RecordPosition.of(record), record.value() == null));
    }
  }

  /**
   * Handles a record of the embedded topic. A key is on two partitions of its topic if these were
   * added: which of its records is the later is not known, so either will do.
   */
  void arrived(ConsumerRecord<byte[], byte[]> record) {
    if (missing.isEmpty()) {
      return;
    }
    String id = RecordText.key(record);
    Latest latest = missing.get(id);
    RecordPosition position = RecordPosition.parse(RecordText.header(record, Headers.SOURCE));
    if (latest != null
        && position != null
        && (position.partition() != latest.position().partition()
            || position.offset() >= latest.position().offset())) {
      missing.remove(id);
    }
  }

  /** The number of missing items. */
  int missing() {
    return missing.size();
  }

  /**
   * Whether all items have arrived. A removed item that the collection does not contain counts as
   * arrived, because compaction may have deleted its tombstone.
   */
  boolean isNothingMissing(ReferenceCollection collection) {
    missing
        .entrySet()
        .removeIf(entry -> entry.getValue().tombstone() && !collection.contains(entry.getKey()));
    return missing.isEmpty();
  }
}
