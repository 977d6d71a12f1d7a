package dev.abacus.topology.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Fields of variable length in binary layouts. Numbers are big-endian. A byte array has its length
 * in front, 4 bytes, -1 for null; a text is a byte array in UTF-8; headers have their number in
 * front, 4 bytes.
 */
public final class BinaryFields {

  private BinaryFields() {}

  public static void writeText(DataOutputStream to, String text) throws IOException {
    writeBytes(to, text.getBytes(StandardCharsets.UTF_8));
  }

  public static void writeBytes(DataOutputStream to, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      to.writeInt(-1);
    } else {
      to.writeInt(bytes.length);
      to.write(bytes);
    }
  }

  public static void writeHeaders(DataOutputStream to, List<Header> headers) throws IOException {
    to.writeInt(headers.size());
    for (Header header : headers) {
      writeText(to, header.key());
      writeBytes(to, header.value());
    }
  }

  /**
   * Reads a text.
   *
   * @throws EOFException if the bytes end too early
   * @throws IOException if the text is null
   */
  public static String readText(DataInputStream from) throws IOException {
    byte[] bytes = readBytes(from);
    if (bytes == null) {
      throw new IOException("a text is missing");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Reads a byte array.
   *
   * @param from a stream whose {@link DataInputStream#available} counts all that is left
   * @throws EOFException if the bytes end too early
   */
  public static byte @Nullable [] readBytes(DataInputStream from) throws IOException {
    int length = from.readInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > from.available()) {
      throw new EOFException("%d bytes expected, %d left".formatted(length, from.available()));
    }
    byte[] bytes = new byte[length];
    from.readFully(bytes);
    return bytes;
  }

  /**
   * Reads headers.
   *
   * @throws EOFException if the bytes end too early
   */
  public static List<Header> readHeaders(DataInputStream from) throws IOException {
    int count = from.readInt();
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      headers.add(new ImmutableHeader(readText(from), readBytes(from)));
    }
    return headers;
  }
}
