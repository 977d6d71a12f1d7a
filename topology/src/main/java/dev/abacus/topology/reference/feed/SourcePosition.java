package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The position of the item in the reference topic. A header of the embedded record contains it.
 *
 * @param partition partition of the reference topic
 * @param offset offset in that partition
 */
record SourcePosition(int partition, long offset) {

  /** The header of this position. */
  Header toHeader(String topic) {
    return ImmutableHeader.of(
        Headers.SOURCE, new RecordPosition(topic, partition, offset).toString());
  }

  /** The position in the headers of a record; null if there is none. */
  static @Nullable SourcePosition of(org.apache.kafka.common.header.Headers headers) {
    String source = RecordText.header(headers, Headers.SOURCE);
    RecordPosition known = source == null ? null : RecordPosition.parse(source);
    return known == null ? null : new SourcePosition(known.partition(), known.offset());
  }

  /** The id of the item with this record key. */
  static String id(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
