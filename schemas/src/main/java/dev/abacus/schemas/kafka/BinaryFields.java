package dev.abacus.schemas.kafka;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Binary layouts of keys and values, and their fields of variable length. Numbers are big-endian. A
 * byte array has its length in front, 4 bytes, -1 for null; a text is a byte array in UTF-8.
 */
public final class BinaryFields {

  private static final int EXPECTED_SIZE = 512;

  private BinaryFields() {}

  /** Writes the fields of a layout, in order. */
  @FunctionalInterface
  public interface Layout {
    void write(DataOutputStream to) throws IOException;
  }

  /** The bytes that a layout writes. */
  public static byte[] bytes(Layout layout) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(EXPECTED_SIZE);
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      layout.write(to);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a ByteArrayOutputStream throws none
    }
    return bytes.toByteArray();
  }

  public static void writeText(DataOutputStream to, @Nullable String text) throws IOException {
    writeBytes(to, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  public static void writeBytes(DataOutputStream to, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      to.writeInt(-1);
    } else {
      to.writeInt(bytes.length);
      to.write(bytes);
    }
  }

  /**
   * Reads a text.
   *
   * @throws EOFException if the bytes end too early
   * @throws IOException if the text is null
   */
  public static String readText(DataInputStream from) throws IOException {
    return new String(readPresent(from), StandardCharsets.UTF_8);
  }

  /**
   * Reads a byte array that is not null.
   *
   * @throws EOFException if the bytes end too early
   * @throws IOException if it is null
   */
  public static byte[] readPresent(DataInputStream from) throws IOException {
    byte[] bytes = readBytes(from);
    if (bytes == null) {
      throw new IOException("a field is missing");
    }
    return bytes;
  }

  /**
   * Reads a byte array.
   *
   * @param from a stream whose {@link DataInputStream#available} counts all that is left
   * @throws EOFException if the bytes end too early
   */
  public static byte @Nullable [] readBytes(DataInputStream from) throws IOException {
    int length = from.readInt();
    return length == -1 ? null : readBytes(from, length);
  }

  /**
   * Reads a number of bytes.
   *
   * @param from as above
   * @throws EOFException if fewer are left, or the number is negative
   */
  public static byte[] readBytes(DataInputStream from, int length) throws IOException {
    if (length < 0 || length > from.available()) {
      throw new EOFException("%d bytes expected, %d left".formatted(length, from.available()));
    }
    return from.readNBytes(length);
  }
}
