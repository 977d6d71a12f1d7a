package dev.abacus.topology.stateful.join;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * Identifies a buffered document of a join.
 *
 * @param side 0 for the left input, 1 for the right
 * @param group bytes of the field that must be equal; empty for a join without such a field
 * @param timestamp of the document, in milliseconds since 1970
 * @param number unique within the task
 */
record JoinKey(int side, Bytes group, long timestamp, long number) {

  /**
   * Layout: side (1 byte), length of the group (4 bytes), group, timestamp (8 bytes), number (8
   * bytes), big-endian. The documents of one side and group are adjacent, in the order of their
   * timestamps.
   */
  static final Serde<JoinKey> SERDE =
      Serdes.serdeFrom(
          (topic, key) -> {
            ByteBuffer to = ByteBuffer.allocate(key.size());
            key.write(to);
            return to.array();
          },
          (topic, bytes) -> read(ByteBuffer.wrap(bytes)));

  private int size() {
    return 1 + 4 + group.get().length + 8 + 8;
  }

  private void write(ByteBuffer to) {
    to.put((byte) side).putInt(group.get().length).put(group.get());
    to.putLong(timestamp).putLong(number);
  }

  private static JoinKey read(ByteBuffer from) {
    int side = from.get();
    byte[] group = new byte[from.getInt()];
    from.get(group);
    return new JoinKey(side, Bytes.wrap(group), from.getLong(), from.getLong());
  }

  /**
   * Entry of the index of documents by expiry.
   *
   * @param time event time after which the document finds no partner any more, not negative
   */
  record Expiry(long time, JoinKey document) {

    /** Layout: time (8 bytes), document. The entries are in the order of their times. */
    static final Serde<Expiry> SERDE =
        Serdes.serdeFrom(
            (topic, expiry) -> {
              ByteBuffer to = ByteBuffer.allocate(8 + expiry.document.size()).putLong(expiry.time);
              expiry.document.write(to);
              return to.array();
            },
            (topic, bytes) -> {
              ByteBuffer from = ByteBuffer.wrap(bytes);
              return new Expiry(from.getLong(), JoinKey.read(from));
            });
  }
}
