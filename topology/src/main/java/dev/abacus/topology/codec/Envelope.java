package dev.abacus.topology.codec;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.topology.runtime.InputRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A document between two stages: the value of records that the program sends itself.
 *
 * @param key of the document; null if it has none
 * @param document what it has become
 * @param provenance its way so far
 * @param originKey of the record that it came in as
 * @param original value of that record, for a dead letter that can be replayed; null if there is
 *     not one such record, or it is too large to be carried along
 */
@SuppressWarnings("ArrayRecordComponent") // identity is meant: two envelopes are never compared
public record Envelope(
    byte @Nullable [] key,
    Document document,
    Provenance provenance,
    byte @Nullable [] originKey,
    byte @Nullable [] original) {

  private static final byte VERSION = 1;

  /** An envelope of a document that was made of several. */
  public static Envelope ofGroup(byte[] key, Document document, Provenance provenance) {
    return new Envelope(key, document, provenance, null, null);
  }

  /** The record to write a dead letter of: as it came in, or the document if there is not one. */
  public InputRecord origin(List<Header> headers, long timestamp) {
    return new InputRecord(
        original == null ? key : originKey,
        original == null ? document.toBytes() : original,
        timestamp,
        headers,
        provenance.topic(),
        provenance.partition(),
        provenance.offset());
  }

  /** The bytes that {@link #read} reads. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      to.writeByte(VERSION);
      to.writeLong(provenance.epoch());
      to.writeDouble(provenance.cost());
      to.writeLong(provenance.admittedAt().toEpochMilli());
      to.writeUTF(provenance.topic());
      to.writeInt(provenance.partition());
      to.writeLong(provenance.offset());
      write(to, key);
      write(to, originKey);
      write(to, original);
      to.write(document.toBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory only
    }
    return bytes.toByteArray();
  }

  /** The epoch in the bytes of an envelope, without reading the rest. */
  public static long epoch(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(1);
  }

  /**
   * The envelope of these bytes.
   *
   * @throws IllegalArgumentException if they are damaged or of a version that is not known
   */
  public static Envelope read(byte[] bytes) {
    try (DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = from.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException("envelope of version " + version);
      }
      long epoch = from.readLong();
      double cost = from.readDouble();
      Instant admittedAt = Instant.ofEpochMilli(from.readLong());
      Provenance provenance =
          new Provenance(epoch, cost, admittedAt, from.readUTF(), from.readInt(), from.readLong());
      byte[] key = string(from);
      byte[] originKey = string(from);
      byte[] original = string(from);
      return new Envelope(
          key, Document.parse(from.readAllBytes()), provenance, originKey, original);
    } catch (IOException | InvalidDocumentException e) {
      throw new IllegalArgumentException("damaged envelope: " + e.getMessage(), e);
    }
  }

  private static void write(DataOutputStream to, byte @Nullable [] string) throws IOException {
    to.writeInt(string == null ? -1 : string.length);
    if (string != null) {
      to.write(string);
    }
  }

  private static byte @Nullable [] string(DataInputStream from) throws IOException {
    int length = from.readInt();
    if (length < 0) {
      return null;
    }
    byte[] string = from.readNBytes(length);
    if (string.length != length) {
      throw new IOException("%d bytes missing".formatted(length - string.length));
    }
    return string;
  }
}
