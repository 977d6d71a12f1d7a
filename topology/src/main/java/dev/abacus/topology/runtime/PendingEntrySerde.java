package dev.abacus.topology.runtime;

import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;

/**
 * Serializes the values of the pending store. The first byte is the version of the layout, the
 * second the kind of entry. Numbers are big-endian. A byte array has its length in front, 4 bytes,
 * -1 for null.
 *
 * <p>A changelog outlives the build that wrote it. To change the layout, add a version and keep
 * reading the old ones.
 */
final class PendingEntrySerde {

  private static final byte VERSION = 1;
  private static final byte RECORD = 0;
  private static final byte REJECTED = 1;

  static final BinaryLayout<PendingEntry> LAYOUT =
      new BinaryLayout<>("pending entry", PendingEntrySerde::write, PendingEntrySerde::read);

  private PendingEntrySerde() {}

  private static void write(PendingEntry entry, DataOutputStream to) throws IOException {
    to.writeByte(VERSION);
    switch (entry) {
      case PendingRecord record -> write(to, record);
      case PendingEntry.Rejected rejected -> write(to, rejected);
    }
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

  private static PendingEntry read(DataInputStream from) throws IOException {
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
      throw new IOException("%d bytes too many".formatted(from.available()));
    }
    return entry;
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
