package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/** A document that a store keeps until event time has come, with the headers of its record. */
public record BufferedDocument(List<Header> headers, Envelope envelope) {

  private static final byte VERSION = 1;

  /** Bytes of the headers, roughly. */
  private static final int HEADERS_SIZE = 256;

  /** Layout: version (1 byte), headers, envelope. */
  public static final Serde<BufferedDocument> SERDE =
      Serdes.serdeFrom(
          (topic, document) -> document == null ? null : document.toBytes(),
          (topic, bytes) -> bytes == null ? null : read(bytes));

  public BufferedDocument {
    headers = List.copyOf(headers);
  }

  private byte[] toBytes() {
    byte[] document = envelope.toBytes();
    return BinaryFields.bytes(
        HEADERS_SIZE + document.length,
        to -> {
          to.writeByte(VERSION);
          ImmutableHeader.writeAll(to, headers);
          to.write(document);
        });
  }

  private static BufferedDocument read(byte[] bytes) {
    try (DataInputStream from = BinaryFields.of(bytes)) {
      byte version = from.readByte();
      if (version != VERSION) {
        throw new SerializationException("buffered document of version " + version);
      }
      return new BufferedDocument(
          ImmutableHeader.readAll(from), Envelope.read(from.readAllBytes()));
    } catch (IOException e) {
      throw new SerializationException("damaged buffered document: " + e.getMessage(), e);
    }
  }
}
