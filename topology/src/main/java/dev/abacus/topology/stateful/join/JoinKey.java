package dev.abacus.topology.stateful.join;

import dev.abacus.topology.stateful.time.KeyLayout;
import java.nio.ByteBuffer;
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
   * Side (1 byte), length of the group (4 bytes), group, timestamp (8 bytes), number (8 bytes). The
   * documents of one side and group are in the order of their timestamps.
   */
  static final KeyLayout<JoinKey> LAYOUT =
      new KeyLayout<>() {
        @Override
        public int size(JoinKey key) {
          return 1 + KeyLayout.sizeOf(key.group) + 2 * Long.BYTES;
        }

        @Override
        public void write(JoinKey key, ByteBuffer to) {
          KeyLayout.writeGroup(key.group, to.put((byte) key.side))
              .putLong(key.timestamp)
              .putLong(key.number);
        }

        @Override
        public JoinKey read(ByteBuffer from) {
          int side = from.get();
          return new JoinKey(side, KeyLayout.readGroup(from), from.getLong(), from.getLong());
        }
      };
}
