package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryFields;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * The binary layout of keys or values of a state store or a repartition topic. In composite keys,
 * numbers are not negative and a group is preceded by its length, so that the keys of a group are
 * adjacent and in order.
 *
 * @param writer writes the fields, see {@link BinaryFields}
 * @param reader reads what the writer wrote
 */
public record BinaryLayout<T>(Writer<T> writer, Reader<T> reader) {

  /** Bytes of a key or value, roughly. */
  private static final int EXPECTED_SIZE = 64;

  /** Writes the fields of a key or value. */
  @FunctionalInterface
  public interface Writer<T> {
    void write(T value, DataOutputStream to) throws IOException;
  }

  /** Reads the fields of a key or value. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(DataInputStream from) throws IOException;
  }

  /** The serde; null stands for a missing value. */
  public Serde<T> serde() {
    return Serdes.serdeFrom(
        (topic, value) -> value == null ? null : toBytes(value),
        (topic, bytes) -> bytes == null ? null : read(bytes));
  }

  /** The bytes of a key or value. */
  public byte[] toBytes(T value) {
    return BinaryFields.bytes(EXPECTED_SIZE, to -> writer.write(value, to));
  }

  private T read(byte[] bytes) {
    try (DataInputStream from = BinaryFields.of(bytes)) {
      return reader.read(from);
    } catch (IOException e) {
      throw new SerializationException("damaged bytes in a store or topic: " + e.getMessage(), e);
    }
  }

  /** The layout of an index of keys by event time: time (8 bytes), key. */
  public BinaryLayout<Deadline<T>> byDeadline() {
    return new BinaryLayout<>(
        (deadline, to) -> {
          to.writeLong(deadline.time());
          writer.write(deadline.key(), to);
        },
        from -> new Deadline<>(from.readLong(), reader.read(from)));
  }

  /** Reads a group that {@link BinaryFields#writeBytes} wrote. */
  public static Bytes readGroup(DataInputStream from) throws IOException {
    return Bytes.wrap(BinaryFields.readPresent(from));
  }

  /**
   * An entry of an index by event time.
   *
   * @param time event time at which the entry of the key is due, not negative
   */
  public record Deadline<K>(long time, K key) {}
}
