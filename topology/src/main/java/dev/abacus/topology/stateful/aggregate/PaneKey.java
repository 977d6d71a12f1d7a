package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.program.aggregate.GroupKey;
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

  /**
   * Layout: length of the group (4 bytes), group, start (8 bytes), big-endian. The panes of a group
   * are adjacent, in the order of their starts.
   */
  static final Serde<PaneKey> SERDE =
      Serdes.serdeFrom(
          (topic, key) -> {
            ByteBuffer to = ByteBuffer.allocate(key.size());
            key.write(to);
            return to.array();
          },
          (topic, bytes) -> read(ByteBuffer.wrap(bytes)));

  static PaneKey of(ArrayNode group, long start) {
    return new PaneKey(Bytes.wrap(GroupKey.bytes(group)), start);
  }

  private int size() {
    return 4 + group.get().length + 8;
  }

  private void write(ByteBuffer to) {
    to.putInt(group.get().length).put(group.get()).putLong(start);
  }

  private static PaneKey read(ByteBuffer from) {
    byte[] group = new byte[from.getInt()];
    from.get(group);
    return new PaneKey(Bytes.wrap(group), from.getLong());
  }

  /**
   * Entry of the index of panes by closing time.
   *
   * @param time event time at which the pane closes, not negative
   */
  record Closing(long time, PaneKey pane) {

    /** Layout: time (8 bytes), pane. The entries are in the order of their times. */
    static final Serde<Closing> SERDE =
        Serdes.serdeFrom(
            (topic, closing) -> {
              ByteBuffer to = ByteBuffer.allocate(8 + closing.pane.size()).putLong(closing.time);
              closing.pane.write(to);
              return to.array();
            },
            (topic, bytes) -> {
              ByteBuffer from = ByteBuffer.wrap(bytes);
              return new Closing(from.getLong(), PaneKey.read(from));
            });
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
