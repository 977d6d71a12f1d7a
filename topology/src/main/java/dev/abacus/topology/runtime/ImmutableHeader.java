package dev.abacus.topology.runtime;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record header that threads may share. The headers of a consumed record decode their keys on
 * first use, which is not thread-safe.
 *
 * @param value may be null; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ImmutableHeader(String key, byte @Nullable [] value) implements Header {

  /** A header with a UTF-8 text as its value. */
  public static Header of(String key, String text) {
    return new ImmutableHeader(key, text.getBytes(StandardCharsets.UTF_8));
  }

  static Header copyOf(Header header) {
    return new ImmutableHeader(header.key(), header.value());
  }
}
