package dev.abacus.topology.stateful.limit;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
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
  static final Serde<RankedKey> SERDE =
      Serdes.serdeFrom(
          (topic, key) -> key.toBytes(), (topic, bytes) -> read(ByteBuffer.wrap(bytes)));

  /** Before all documents of a window. */
  static RankedKey first(long start) {
    return new RankedKey(start, Bytes.wrap(new byte[0]), 0, 0);
  }

  private byte[] toBytes() {
    return ByteBuffer.allocate(Long.BYTES + rank.get().length + NUMBERS)
        .putLong(start)
        .put(rank.get())
        .putLong(number)
        .putLong(timestamp)
        .array();
  }

  private static RankedKey read(ByteBuffer from) {
    long start = from.getLong();
    byte[] rank = new byte[from.remaining() - NUMBERS];
    from.get(rank);
    return new RankedKey(start, Bytes.wrap(rank), from.getLong(), from.getLong());
  }

  @Override
  public int compareTo(RankedKey other) {
    return Bytes.wrap(toBytes()).compareTo(Bytes.wrap(other.toBytes()));
  }
}
