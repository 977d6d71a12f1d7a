package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The position of the item in the reference topic. A header of the embedded record contains it.
 *
 * @param partition partition of the reference topic
 * @param offset offset in that partition
 */
record SourcePosition(int partition, long offset) {

  private static final Pattern FORM = Pattern.compile(".*-(\\d+)@(\\d+)");

  /** The header of this position. */
  Header toHeader(String topic) {
    return ImmutableHeader.of(Headers.SOURCE, "%s-%d@%d".formatted(topic, partition, offset));
  }

  /** The position in the headers of a record; null if there is none. */
  static @Nullable SourcePosition of(org.apache.kafka.common.header.Headers headers) {
    Header header = headers.lastHeader(Headers.SOURCE);
    if (header == null || header.value() == null) {
      return null;
    }
    Matcher matcher = FORM.matcher(new String(header.value(), StandardCharsets.UTF_8));
    return matcher.matches()
        ? new SourcePosition(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)))
        : null;
  }

  /** The id of the item with this record key. */
  static String id(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
