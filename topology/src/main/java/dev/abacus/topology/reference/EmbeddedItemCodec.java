package dev.abacus.topology.reference;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The binary form of embedded items: version (1 byte), hash, item, number of vectors (2 bytes) with
 * embedder and vector each, number of failures (2 bytes) with embedder and reason each. A length (4
 * bytes) precedes texts and the item. A vector is its number of dimensions (4 bytes) and 32-bit
 * floats. Big endian. JSON would need several times the space and dominate the time of a restart.
 */
public final class EmbeddedItemCodec {

  private static final byte VERSION = 1;

  private EmbeddedItemCodec() {}

  /** Writes an item. */
  public static byte[] write(EmbeddedItem item) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(item.json().length + 4096);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      write(out, item.hash().getBytes(StandardCharsets.UTF_8));
      write(out, item.json());
      out.writeShort(item.vectors().size());
      for (Map.Entry<String, float[]> entry : new TreeMap<>(item.vectors()).entrySet()) {
        write(out, entry.getKey().getBytes(StandardCharsets.UTF_8));
        out.writeInt(entry.getValue().length);
        ByteBuffer floats = ByteBuffer.allocate(Float.BYTES * entry.getValue().length);
        floats.asFloatBuffer().put(entry.getValue());
        out.write(floats.array());
      }
      out.writeShort(item.failures().size());
      for (Map.Entry<String, String> entry : new TreeMap<>(item.failures()).entrySet()) {
        write(out, entry.getKey().getBytes(StandardCharsets.UTF_8));
        write(out, entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads an item.
   *
   * @throws IllegalArgumentException if the bytes are damaged or have an unknown version
   */
  public static EmbeddedItem read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException("embedded item of version " + version);
      }
      String hash = text(in, bytes.length);
      byte[] json = bytes(in, bytes.length);
      Map<String, float[]> vectors = new HashMap<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        String embedder = text(in, bytes.length);
        byte[] floats = bytes(in, Math.multiplyExact(in.readInt(), Float.BYTES), bytes.length);
        float[] vector = new float[floats.length / Float.BYTES];
        ByteBuffer.wrap(floats).asFloatBuffer().get(vector);
        vectors.put(embedder, vector);
      }
      Map<String, String> failures = new HashMap<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        failures.put(text(in, bytes.length), text(in, bytes.length));
      }
      return new EmbeddedItem(hash, json, vectors, failures);
    } catch (IOException | ArithmeticException e) {
      throw new IllegalArgumentException("damaged embedded item", e);
    }
  }

  private static String text(DataInputStream in, int most) throws IOException {
    return new String(bytes(in, most), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in, int most) throws IOException {
    return bytes(in, in.readInt(), most);
  }

  private static byte[] bytes(DataInputStream in, int length, int most) throws IOException {
    if (length < 0 || length > most) {
      throw new IOException("length " + length);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
