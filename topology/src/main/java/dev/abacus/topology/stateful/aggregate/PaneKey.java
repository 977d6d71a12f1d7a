package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.stateful.time.KeyLayout;
import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * Identifies a pane.
 *
 * @param group the group's {@link GroupKey} bytes
 * @param start start of its window, not negative
 */
record PaneKey(Bytes group, long start) {

  /** Length of the group (4 bytes), group, start (8 bytes). */
  static final KeyLayout<PaneKey> LAYOUT =
      new KeyLayout<>() {
        @Override
        public int size(PaneKey key) {
          return KeyLayout.sizeOf(key.group) + Long.BYTES;
        }

        @Override
        public void write(PaneKey key, ByteBuffer to) {
          KeyLayout.writeGroup(key.group, to).putLong(key.start);
        }

        @Override
        public PaneKey read(ByteBuffer from) {
          return new PaneKey(KeyLayout.readGroup(from), from.getLong());
        }
      };

  /** No key is before it. */
  static final PaneKey SMALLEST = new PaneKey(Bytes.wrap(new byte[0]), 0);

  static PaneKey of(ArrayNode group, long start) {
    return new PaneKey(Bytes.wrap(GroupKey.bytes(group)), start);
  }

  /**
   * Identifies a member.
   *
   * @param run number of the pane's run, not negative
   * @param number position in the run, not negative
   */
  record Member(long run, long number) {

    /** Layout: run (8 bytes), number (8 bytes). The members of a run are adjacent, in order. */
    static final Serde<Member> SERDE =
        Serdes.serdeFrom(
            (topic, member) ->
                ByteBuffer.allocate(16).putLong(member.run).putLong(member.number).array(),
            (topic, bytes) -> {
              ByteBuffer from = ByteBuffer.wrap(bytes);
              return new Member(from.getLong(), from.getLong());
            });
  }
}
