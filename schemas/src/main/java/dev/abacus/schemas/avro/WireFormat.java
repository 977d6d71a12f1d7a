package dev.abacus.schemas.avro;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;

/** Confluent's framing: a zero byte, the schema's id as four big-endian bytes, then the data. */
public final class WireFormat {

  static final byte MAGIC = 0;

  /** Length of magic byte and id. */
  public static final int HEADER = 1 + Integer.BYTES;

  private WireFormat() {}

  static void writeHeader(ByteArrayOutputStream out, int id) {
    out.write(MAGIC);
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
  }

  /**
   * The schema id of a framed value.
   *
   * @throws SerializationException if the value is not framed
   */
  public static int schemaId(String topic, byte[] data) {
    if (data.length > 0 && data[0] != MAGIC) {
      throw new SerializationException(
          "Data on topic '%s' starts with the byte 0x%02X%s where Confluent's framing has 0x00; it was not written by a serializer with a schema registry"
              .formatted(topic, data[0], printable(data[0])));
    }
    if (data.length < HEADER) {
      throw new SerializationException(
          "Data on topic '%s' has %d byte(s); Confluent's framing alone takes %d"
              .formatted(topic, data.length, HEADER));
    }
    return ByteBuffer.wrap(data, 1, Integer.BYTES).getInt();
  }

  private static String printable(byte value) {
    return value > 0x20 && value < 0x7F ? " ('" + (char) value + "')" : "";
  }
}
