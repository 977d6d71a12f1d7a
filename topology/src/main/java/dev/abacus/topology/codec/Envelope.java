package dev.abacus.topology.codec;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.schemas.kafka.Draw;
import dev.abacus.schemas.redaction.RedactedDocument;
import dev.abacus.topology.runtime.InputRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/**
 * A document between two stages of a program.
 *
 * @param key key of the document; null if it has none
 * @param document the document after the stages so far
 * @param originKey key of the source record
 * @param original value of the source record, for a dead letter that can be replayed; null if the
 *     document has no single source record, or if the record is too large to be carried along
 */
@SuppressWarnings("ArrayRecordComponent") // envelopes are not compared
public record Envelope(
    byte @Nullable [] key,
    Document document,
    Provenance provenance,
    byte @Nullable [] originKey,
    byte @Nullable [] original) {

  private static final byte VERSION = 2;
  private static final byte STORED = 0x10;

  private static final BinaryLayout<Envelope> LAYOUT =
      new BinaryLayout<>("envelope", Envelope::write, Envelope::parse);

  /** Null stands for the missing value of a watermark. */
  public static final Serde<Envelope> SERDE = LAYOUT.serde();

  /** An envelope of a document that an aggregate made of a group. */
  public static Envelope ofGroup(byte[] key, Document document, Provenance provenance) {
    return new Envelope(key, document, provenance, null, null);
  }

  /** The number of {@link Draw#of}: of its source record, of a group by its key. */
  public double draw(String purpose) {
    return Draw.of(
        purpose,
        provenance.isGroup() && key != null
            ? key
            : provenance.source().getBytes(StandardCharsets.UTF_8));
  }

  /** Its key, or the position of its source record if it has none. */
  public byte[] keyOrSource() {
    return key == null ? provenance.source().getBytes(StandardCharsets.UTF_8) : key;
  }

  /** The key of one of several documents made of this one: {@code key#which}. */
  public byte[] keyOf(byte[] which) {
    byte[] first = keyOrSource();
    return ByteBuffer.allocate(first.length + 1 + which.length)
        .put(first)
        .put((byte) '#')
        .put(which)
        .array();
  }

  /** The document and its key with tokens, without the source record. */
  public Envelope redacted(RedactedDocument redacted) {
    byte[] hidden =
        key == null
            ? null
            : redacted
                .redact(new String(key, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
    return new Envelope(hidden, redacted.document(), provenance, null, null);
  }

  /** The record for a dead letter: the source record if it is known, else the document. */
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

  /**
   * Layout: version, epoch, the other fields of the provenance, keys, original, document. If the
   * answer store saved calls, the version has the flag {@code 0x10}, and the tokens of these calls
   * follow the tokens.
   */
  public byte[] toBytes() {
    return LAYOUT.toBytes(this);
  }

  private void write(DataOutputStream to) throws IOException {
    TokenCounts tokens = provenance.usage().tokens();
    to.writeByte(tokens.stored() == 0 ? VERSION : VERSION | STORED);
    to.writeLong(provenance.epoch());
    to.writeDouble(provenance.cost());
    tokens.write(to);
    to.writeLong(provenance.admittedAt().toEpochMilli());
    BinaryFields.writeText(to, provenance.topic());
    to.writeInt(provenance.partition());
    to.writeLong(provenance.offset());
    BinaryFields.writeBytes(to, key);
    BinaryFields.writeBytes(to, originKey);
    BinaryFields.writeBytes(to, original);
    to.write(document.toBytes());
  }

  /** Reads only the epoch of an envelope. */
  public static long epoch(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(1);
  }

  /**
   * Reads an envelope.
   *
   * @throws SerializationException if the bytes are damaged or have an unknown version
   */
  public static Envelope read(byte[] bytes) {
    return LAYOUT.read(bytes);
  }

  private static Envelope parse(DataInputStream from) throws IOException, InvalidDocumentException {
    int flagged = from.readByte();
    int version = flagged & ~STORED;
    if (version != VERSION) {
      throw new SerializationException("envelope of version " + version);
    }
    Provenance provenance =
        new Provenance(
            from.readLong(),
            new Usage(from.readDouble(), TokenCounts.read(from, flagged != version)),
            Instant.ofEpochMilli(from.readLong()),
            BinaryFields.readText(from),
            from.readInt(),
            from.readLong());
    byte[] key = BinaryFields.readBytes(from);
    byte[] originKey = BinaryFields.readBytes(from);
    byte[] original = BinaryFields.readBytes(from);
    Document document = Document.parse(from.readAllBytes());
    return new Envelope(key, document, provenance, originKey, original);
  }
}
