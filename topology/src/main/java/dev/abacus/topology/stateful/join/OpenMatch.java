package dev.abacus.topology.stateful.join;

import dev.abacus.schemas.kafka.BinaryLayout;
import org.apache.kafka.common.serialization.Serde;

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
      new BinaryLayout<OpenMatch>(
              "open match",
              (match, to) -> {
                to.writeLong(match.to);
                JoinKey.LAYOUT.writer().write(match.document, to);
                JoinKey.LAYOUT.writer().write(match.next, to);
              },
              from -> {
                long to = from.readLong();
                BinaryLayout.Reader<JoinKey> keys = JoinKey.LAYOUT.reader();
                return new OpenMatch(keys.read(from), keys.read(from), to);
              })
          .serde();

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
}
