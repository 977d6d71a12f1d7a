package dev.abacus.topology.stateful.join;

import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
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
  static final BinaryLayout<JoinKey> LAYOUT =
      new BinaryLayout<>(
          "key of a join",
          (key, to) -> {
            to.writeByte(key.side);
            BinaryFields.writeBytes(to, key.group.get());
            to.writeLong(key.timestamp);
            to.writeLong(key.number);
          },
          from ->
              new JoinKey(
                  from.readByte(), BinaryLayout.readGroup(from), from.readLong(), from.readLong()));
}
