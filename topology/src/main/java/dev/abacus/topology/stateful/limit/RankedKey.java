package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;

/**
 * Identifies a document among those of a window. The keys of a window are adjacent, in the order of
 * the documents.
 *
 * @param start start of the window, in milliseconds since 1970, not negative
 * @param rank the bytes of {@link SortKey}; empty is before all documents of the window
 * @param number of the document; it decides between documents of equal rank, the earlier first
 * @param timestamp of the document
 */
record RankedKey(long start, Bytes rank, long number, long timestamp)
    implements Comparable<RankedKey> {

  private static final int NUMBERS = 2 * Long.BYTES;

  /** Layout: start (8 bytes), rank, number (8 bytes), timestamp (8 bytes). */
  private static final BinaryLayout<RankedKey> LAYOUT =
      new BinaryLayout<>(
          "rank",
          (key, to) -> {
            to.writeLong(key.start);
            to.write(key.rank.get());
            to.writeLong(key.number);
            to.writeLong(key.timestamp);
          },
          from ->
              new RankedKey(
                  from.readLong(),
                  Bytes.wrap(BinaryFields.readBytes(from, from.available() - NUMBERS)),
                  from.readLong(),
                  from.readLong()));

  static final Serde<RankedKey> SERDE = LAYOUT.serde();

  /** Before all documents of a window. */
  static RankedKey first(long start) {
    return new RankedKey(start, Bytes.wrap(new byte[0]), 0, 0);
  }

  @Override
  public int compareTo(RankedKey other) {
    return Bytes.wrap(LAYOUT.toBytes(this)).compareTo(Bytes.wrap(LAYOUT.toBytes(other)));
  }
}
