package dev.abacus.topology.reference;

import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.errors.SerializationException;

/**
 * The binary form of embedded items: version (1 byte), hash, item, number of vectors (2 bytes) with
 * embedder and vector each, number of failures (2 bytes) with embedder and reason each. A length (4
 * bytes) precedes texts and the item. A vector is its number of dimensions (4 bytes) and 32-bit
 * floats. Big endian. JSON would need several times the space and dominate the time of a restart.
 */
public final class EmbeddedItemCodec {

  private static final byte VERSION = 1;

  /** The layout; items of another version cannot be read. */
  public static final BinaryLayout<EmbeddedItem> LAYOUT =
      new BinaryLayout<>("embedded item", EmbeddedItemCodec::write, EmbeddedItemCodec::read);

  private EmbeddedItemCodec() {}

  private static void write(EmbeddedItem item, DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    BinaryFields.writeText(out, item.hash());
    BinaryFields.writeBytes(out, item.json());
    out.writeShort(item.vectors().size());
    for (Map.Entry<String, float[]> entry : new TreeMap<>(item.vectors()).entrySet()) {
      BinaryFields.writeText(out, entry.getKey());
      out.writeInt(entry.getValue().length);
      ByteBuffer floats = ByteBuffer.allocate(Float.BYTES * entry.getValue().length);
      floats.asFloatBuffer().put(entry.getValue());
      out.write(floats.array());
    }
    out.writeShort(item.failures().size());
    for (Map.Entry<String, String> entry : new TreeMap<>(item.failures()).entrySet()) {
      BinaryFields.writeText(out, entry.getKey());
      BinaryFields.writeText(out, entry.getValue());
    }
  }

  private static EmbeddedItem read(DataInputStream in) throws IOException {
    byte version = in.readByte();
    if (version != VERSION) {
      throw new SerializationException("embedded item of version " + version);
    }
    String hash = BinaryFields.readText(in);
    byte[] json = BinaryFields.readPresent(in);
    Map<String, float[]> vectors = new HashMap<>();
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      String embedder = BinaryFields.readText(in);
      int size = Math.multiplyExact(in.readInt(), Float.BYTES);
      byte[] floats = BinaryFields.readBytes(in, size);
      float[] vector = new float[floats.length / Float.BYTES];
      ByteBuffer.wrap(floats).asFloatBuffer().get(vector);
      vectors.put(embedder, vector);
    }
    Map<String, String> failures = new HashMap<>();
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      failures.put(BinaryFields.readText(in), BinaryFields.readText(in));
    }
    return new EmbeddedItem(hash, json, vectors, failures);
  }
}
