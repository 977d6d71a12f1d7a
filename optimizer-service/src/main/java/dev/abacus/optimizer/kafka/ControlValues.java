package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.control.AcceptedOffsets;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Restoration;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The values in force of the control topic, as bytes, to restore them behind a refused record. Only
 * the leader writes them back, in the transaction of the rejection.
 */
final class ControlValues {

  private final String topic;
  private final AcceptedOffsets offsets = new AcceptedOffsets();
  private final Map<String, Supplier<byte @Nullable []>> values = new HashMap<>();

  /**
   * Starts without values.
   *
   * @param topic the control topic
   */
  ControlValues(String topic) {
    this.topic = topic;
  }

  /** Whether a record restores a value that is no longer in force. */
  boolean isStale(String key, ConsumerRecord<byte[], byte[]> record) {
    return offsets.isStale(key, Restoration.of(record.headers()));
  }

  /** Whether a record restores the value in force. */
  boolean isKnown(String key, ConsumerRecord<byte[], byte[]> record) {
    return offsets.isKnown(key, Restoration.of(record.headers()));
  }

  /**
   * Notes that a record is in force.
   *
   * @param decoded null for a tombstone
   */
  void accept(String key, ConsumerRecord<byte[], byte[]> record, @Nullable ControlRecord decoded) {
    offsets.accept(key, record.offset(), Restoration.of(record.headers()));
    byte @Nullable [] value = record.value();
    // Plans are large, and the loop has them anyway.
    values.put(
        key,
        decoded instanceof ControlRecord.PlanPublished
            ? () -> ControlCodec.encode(decoded)
            : () -> value);
  }

  /** Whether a record of the key behind this offset is in force. */
  boolean isReplaced(String key, long offset) {
    AcceptedOffsets.Accepted accepted = offsets.get(key);
    return accepted != null && accepted.offset() > offset;
  }

  /** The offset at which the value in force was first written; -1 if there is none. */
  long originalOffset(ControlKey key) {
    AcceptedOffsets.Accepted accepted = offsets.get(key.path());
    return accepted == null ? -1 : accepted.original();
  }

  /**
   * The record that restores the value in force behind a refused or stale record; null if there is
   * no value, or if a later record is in force.
   */
  @Nullable ProducerRecord<byte[], byte[]> restoration(String key, long refused) {
    AcceptedOffsets.Accepted accepted = offsets.get(key);
    Supplier<byte @Nullable []> value = values.get(key);
    if (accepted == null || value == null || accepted.offset() > refused) {
      return null;
    }
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value.get());
    new Restoration(accepted.original(), refused).addTo(record.headers());
    return record;
  }
}
