package dev.abacus.topology.runtime;

import dev.abacus.schemas.kafka.BinaryFields;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** The headers of a record, of which others replace those of their names. */
  public static List<Header> replacing(List<Header> before, List<Header> own) {
    Set<String> names = own.stream().map(Header::key).collect(Collectors.toSet());
    return Stream.concat(
            before.stream().filter(header -> !names.contains(header.key())), own.stream())
        .toList();
  }

  /** Writes headers: their number, 4 bytes, then the key and the value of each. */
  public static void writeAll(DataOutputStream to, List<Header> headers) throws IOException {
    to.writeInt(headers.size());
    for (Header header : headers) {
      BinaryFields.writeText(to, header.key());
      BinaryFields.writeBytes(to, header.value());
    }
  }

  /**
   * Reads headers.
   *
   * @throws java.io.EOFException if the bytes end too early
   */
  public static List<Header> readAll(DataInputStream from) throws IOException {
    int count = from.readInt();
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      headers.add(new ImmutableHeader(BinaryFields.readText(from), BinaryFields.readBytes(from)));
    }
    return headers;
  }
}
