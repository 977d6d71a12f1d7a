package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.schemas.program.aggregate.GroupKey;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;

/**
 * Identifies a pane.
 *
 * @param group the group's {@link GroupKey} bytes
 * @param start start of its window, not negative
 */
record PaneKey(Bytes group, long start) {

  /** Length of the group (4 bytes), group, start (8 bytes). */
  static final BinaryLayout<PaneKey> LAYOUT =
      new BinaryLayout<>(
          "pane",
          (key, to) -> {
            BinaryFields.writeBytes(to, key.group.get());
            to.writeLong(key.start);
          },
          from -> new PaneKey(BinaryLayout.readGroup(from), from.readLong()));

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
        new BinaryLayout<Member>(
                "member",
                (member, to) -> {
                  to.writeLong(member.run);
                  to.writeLong(member.number);
                },
                from -> new Member(from.readLong(), from.readLong()))
            .serde();
  }
}
