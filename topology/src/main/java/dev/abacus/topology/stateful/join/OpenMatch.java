package dev.abacus.topology.stateful.join;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The search for the partners of a document, which may take more than one slice. Partners that
 * arrive later find the document themselves.
 *
 * @param document whose partners are searched
 * @param next where the search goes on
 * @param to largest timestamp of a partner
 */
record OpenMatch(JoinKey document, JoinKey next, long to) {

  /** Layout: to (8 bytes), document, next. */
  static final Serde<OpenMatch> SERDE =
      Serdes.serdeFrom(
          (topic, match) -> match == null ? null : match.toBytes(),
          (topic, bytes) -> bytes == null ? null : read(ByteBuffer.wrap(bytes)));

  /** The search from its beginning. */
  static OpenMatch begin(JoinKey document, long from, long to) {
    JoinKey first = new JoinKey(1 - document.side(), document.group(), Math.max(0, from), 0);
    return new OpenMatch(document, first, to);
  }

  /** The search behind a partner. */
  OpenMatch after(JoinKey partner) {
    JoinKey behind =
        new JoinKey(partner.side(), partner.group(), partner.timestamp(), partner.number() + 1);
    return new OpenMatch(document, behind, to);
  }

  /** The end of the search. */
  JoinKey last() {
    return new JoinKey(next.side(), next.group(), to, Long.MAX_VALUE);
  }

  private byte[] toBytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + JoinKey.LAYOUT.size(document) + JoinKey.LAYOUT.size(next));
    bytes.putLong(to);
    JoinKey.LAYOUT.write(document, bytes);
    JoinKey.LAYOUT.write(next, bytes);
    return bytes.array();
  }

  private static OpenMatch read(ByteBuffer bytes) {
    long to = bytes.getLong();
    return new OpenMatch(JoinKey.LAYOUT.read(bytes), JoinKey.LAYOUT.read(bytes), to);
  }
}
