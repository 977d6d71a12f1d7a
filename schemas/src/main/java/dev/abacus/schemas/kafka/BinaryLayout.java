package dev.abacus.schemas.kafka;

import dev.abacus.schemas.document.InvalidDocumentException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/**
 * The binary layout of keys or values of a store or a topic. In composite keys, numbers are not
 * negative and a group is preceded by its length, so that the keys of a group are adjacent and in
 * order.
 *
 * @param name of what it lays out, such as {@code envelope}
 * @param writer writes the fields, see {@link BinaryFields}
 * @param reader reads what the writer wrote
 */
public record BinaryLayout<T>(String name, Writer<T> writer, Reader<T> reader) {

  /** Writes the fields of a key or value. */
  @FunctionalInterface
  public interface Writer<T> {
    void write(T value, DataOutputStream to) throws IOException;
  }

  /** Reads the fields of a key or value. */
  @FunctionalInterface
  public interface Reader<T> {

    /**
     * Reads.
     *
     * @param from a stream whose {@link DataInputStream#available} counts all that is left
     * @throws IllegalArgumentException if the fields are no such value
     * @throws SerializationException if another version wrote them
     */
    T read(DataInputStream from) throws IOException, InvalidDocumentException;
  }

  /** The serde; null stands for a missing value. */
  public Serde<T> serde() {
    return Serdes.serdeFrom(
        (topic, value) -> value == null ? null : toBytes(value),
        (topic, bytes) -> bytes == null ? null : read(bytes));
  }

  /** The bytes of a key or value. */
  public byte[] toBytes(T value) {
    return BinaryFields.bytes(to -> writer.write(value, to));
  }

  /**
   * The key or value of these bytes.
   *
   * @throws SerializationException if the bytes are damaged or have an unknown version
   */
  public T read(byte[] bytes) {
    try (DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return reader.read(from);
    } catch (IOException
        | InvalidDocumentException
        | IllegalArgumentException
        | ArithmeticException e) {
      throw new SerializationException("damaged %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /** The layout of an index of keys by event time: time (8 bytes), key. */
  public BinaryLayout<Deadline<T>> byDeadline() {
    return new BinaryLayout<>(
        name + " by time",
        (deadline, to) -> {
          to.writeLong(deadline.time());
          writer.write(deadline.key(), to);
        },
        from -> new Deadline<>(from.readLong(), reader.read(from)));
  }

  /** Reads the bytes of a group, which their length precedes. */
  public static Bytes readGroup(DataInputStream from) throws IOException {
    return Bytes.wrap(BinaryFields.readPresent(from));
  }

  /**
   * A key and the event time at which it is due.
   *
   * @param time in milliseconds since 1970, not negative
   */
  public record Deadline<K>(long time, K key) {}
}
