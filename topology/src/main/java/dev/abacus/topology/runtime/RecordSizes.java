package dev.abacus.topology.runtime;

import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The one gate for the sizes of records. A producer that refuses a record ends the transaction, and
 * the next attempt ends in the same way. So every record is measured before it is forwarded or
 * stored, where its document can still become a dead letter:
 *
 * <ul>
 *   <li>A source record, and a document that a stage passes on, has at most {@link #limit} bytes.
 *   <li>A result, a dead letter and the state of a group may have {@link #HEADROOM} more, for
 *       headers and other additions.
 *   <li>A message of a topic may have {@link #HEADROOM} more than these, for the key and the fields
 *       of a store or repartition topic.
 * </ul>
 *
 * @param limit {@code abacus.document.max.bytes}
 */
public record RecordSizes(int limit) {

  /** Bytes by which an output may exceed the limit, and a message an output. */
  public static final int HEADROOM = 256 * 1024;

  /** As large as an array may be. */
  public static final RecordSizes UNLIMITED = new RecordSizes(Integer.MAX_VALUE - 3 * HEADROOM);

  /** The lengths of name and value of a header, in records and in stores. */
  private static final int HEADER_LENGTHS = 2 * Integer.BYTES;

  /** Bytes of key, value and headers. */
  public static int of(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    int size = length(key) + length(value);
    for (Header header : headers) {
      size += HEADER_LENGTHS + Utils.utf8Length(header.key()) + length(header.value());
    }
    return size;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** Largest result, dead letter or state in bytes. */
  public int largestOutput() {
    return limit + HEADROOM;
  }

  /** The {@code max.message.bytes} of topics and the {@code max.request.size} of producers. */
  public int largestMessage() {
    return limit + 2 * HEADROOM;
  }

  /**
   * Why something is not passed on as a document; null if it is small enough.
   *
   * @param what such as "the pair"
   */
  public @Nullable String problem(String what, long size) {
    return size <= limit
        ? null
        : "%s has %d bytes; a document may have %d (abacus.document.max.bytes)"
            .formatted(what, size, limit);
  }
}
