package dev.abacus.topology.stateful.time;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * The binary layout of a composite key of a state store. Numbers are big-endian and not negative,
 * and a group is preceded by its length, so that the keys of a group are adjacent and in order.
 */
public interface KeyLayout<K> {

  /** Bytes of the key. */
  int size(K key);

  /** Writes {@link #size} bytes. */
  void write(K key, ByteBuffer to);

  /** Reads what {@link #write} wrote. */
  K read(ByteBuffer from);

  /** The serde of the keys. */
  default Serde<K> serde() {
    return Serdes.serdeFrom(
        (topic, key) -> {
          ByteBuffer to = ByteBuffer.allocate(size(key));
          write(key, to);
          return to.array();
        },
        (topic, bytes) -> read(ByteBuffer.wrap(bytes)));
  }

  /** The serde of an index of the keys by event time: time (8 bytes), key. */
  default Serde<Deadline<K>> deadlineSerde() {
    return Serdes.serdeFrom(
        (topic, deadline) -> {
          ByteBuffer to = ByteBuffer.allocate(Long.BYTES + size(deadline.key()));
          write(deadline.key(), to.putLong(deadline.time()));
          return to.array();
        },
        (topic, bytes) -> {
          ByteBuffer from = ByteBuffer.wrap(bytes);
          return new Deadline<>(from.getLong(), read(from));
        });
  }

  /** Bytes of a group with its length. */
  static int sizeOf(Bytes group) {
    return Integer.BYTES + group.get().length;
  }

  static ByteBuffer writeGroup(Bytes group, ByteBuffer to) {
    return to.putInt(group.get().length).put(group.get());
  }

  static Bytes readGroup(ByteBuffer from) {
    byte[] group = new byte[from.getInt()];
    from.get(group);
    return Bytes.wrap(group);
  }

  /**
   * An entry of an index by event time.
   *
   * @param time event time at which the entry of the key is due, not negative
   */
  record Deadline<K>(long time, K key) {}
}
