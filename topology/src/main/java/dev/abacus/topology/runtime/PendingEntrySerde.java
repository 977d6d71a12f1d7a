package dev.abacus.topology.runtime;

import dev.abacus.schemas.kafka.BinaryFields;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serializes the values of the pending store. The first byte is the version of the layout, the
 * second the kind of entry. Numbers are big-endian. A byte array has its length in front, 4 bytes,
 * -1 for null.
 *
 * <p>A changelog outlives the build that wrote it. To change the layout, add a version and keep
 * reading the old ones.
 */
final class PendingEntrySerde implements Serde<PendingEntry> {

  private static final byte VERSION = 1;
  private static final byte RECORD = 0;
  private static final byte REJECTED = 1;

  /** Bytes of all fixed fields and the topic name, roughly. */
  private static final int FIXED_SIZE = 128;

  @Override
  @SuppressWarnings("NullAway") // Kafka Streams deletes an entry by a null value
  public Serializer<PendingEntry> serializer() {
    return (topic, entry) -> entry == null ? null : serialize(entry);
  }

  @Override
  public Deserializer<PendingEntry> deserializer() {
    return (topic, bytes) -> deserialize(bytes);
  }

  static byte[] serialize(PendingEntry entry) {
    return BinaryFields.bytes(
        FIXED_SIZE + entry.size(),
        to -> {
          to.writeByte(VERSION);
          switch (entry) {
            case PendingRecord record -> write(to, record);
            case PendingEntry.Rejected rejected -> write(to, rejected);
          }
        });
  }

  private static void write(DataOutputStream to, PendingRecord record) throws IOException {
    InputRecord input = record.input();
    to.writeByte(RECORD);
    to.writeLong(record.epoch());
    to.writeLong(record.admittedAt().toEpochMilli());
    BinaryFields.writeText(to, input.topic());
    to.writeInt(input.partition());
    to.writeLong(input.offset());
    to.writeLong(input.timestamp());
    BinaryFields.writeBytes(to, input.key());
    BinaryFields.writeBytes(to, input.value());
    ImmutableHeader.writeAll(to, input.headers());
  }

  private static void write(DataOutputStream to, PendingEntry.Rejected rejected)
      throws IOException {
    to.writeByte(REJECTED);
    BinaryFields.writeBytes(to, rejected.key());
    List<OutputRecord> outputs = rejected.completion().outputs();
    to.writeInt(outputs.size());
    for (OutputRecord output : outputs) {
      BinaryFields.writeText(to, output.child());
      BinaryFields.writeBytes(to, output.key());
      BinaryFields.writeBytes(to, output.value());
      ImmutableHeader.writeAll(to, output.headers());
      to.writeLong(output.timestamp());
    }
  }

  /**
   * Reads an entry.
   *
   * @throws SerializationException if the bytes are damaged or a newer build wrote them
   */
  static PendingEntry deserialize(byte[] bytes) {
    try (DataInputStream from = BinaryFields.of(bytes)) {
      byte version = from.readByte();
      if (version != VERSION) {
        throw new SerializationException(
            "pending entry of version %d, but this build reads version %d; did a newer build write it?"
                .formatted(version, VERSION));
      }
      byte kind = from.readByte();
      PendingEntry entry =
          switch (kind) {
            case RECORD -> readRecord(from);
            case REJECTED -> readRejected(from);
            default -> throw new SerializationException("pending entry of unknown kind " + kind);
          };
      if (from.available() > 0) {
        throw new SerializationException(
            "pending entry is damaged: %d bytes too many".formatted(from.available()));
      }
      return entry;
    } catch (IOException | IllegalArgumentException e) {
      throw new SerializationException("pending entry is damaged: " + e.getMessage(), e);
    }
  }

  private static PendingRecord readRecord(DataInputStream from) throws IOException {
    long epoch = from.readLong();
    Instant admittedAt = Instant.ofEpochMilli(from.readLong());
    String topic = BinaryFields.readText(from);
    int partition = from.readInt();
    long offset = from.readLong();
    long timestamp = from.readLong();
    byte[] key = BinaryFields.readBytes(from);
    byte[] value = BinaryFields.readBytes(from);
    InputRecord input =
        new InputRecord(
            key, value, timestamp, ImmutableHeader.readAll(from), topic, partition, offset);
    return new PendingRecord(input, epoch, admittedAt);
  }

  private static PendingEntry.Rejected readRejected(DataInputStream from) throws IOException {
    byte[] key = BinaryFields.readBytes(from);
    int count = from.readInt();
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String child = BinaryFields.readText(from);
      byte[] outputKey = BinaryFields.readBytes(from);
      byte[] value = BinaryFields.readBytes(from);
      List<Header> headers = ImmutableHeader.readAll(from);
      outputs.add(new OutputRecord(child, outputKey, value, headers, from.readLong()));
    }
    return new PendingEntry.Rejected(key, new Completion(outputs));
  }
}
