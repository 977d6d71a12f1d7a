package dev.abacus.topology.stateful.time;

import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.BinaryFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/** A document that a store keeps until event time has come, with the headers of its record. */
public record BufferedDocument(List<Header> headers, Envelope envelope) {

  private static final byte VERSION = 1;

  /** Layout: version (1 byte), headers, envelope. */
  public static final Serde<BufferedDocument> SERDE =
      Serdes.serdeFrom(
          (topic, document) -> document == null ? null : document.toBytes(),
          (topic, bytes) -> bytes == null ? null : read(bytes));

  public BufferedDocument {
    headers = List.copyOf(headers);
  }

  private byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      to.writeByte(VERSION);
      BinaryFields.writeHeaders(to, headers);
      to.write(envelope.toBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a ByteArrayOutputStream throws none
    }
    return bytes.toByteArray();
  }

  private static BufferedDocument read(byte[] bytes) {
    try (DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = from.readByte();
      if (version != VERSION) {
        throw new SerializationException("buffered document of version " + version);
      }
      return new BufferedDocument(
          BinaryFields.readHeaders(from), Envelope.read(from.readAllBytes()));
    } catch (IOException e) {
      throw new SerializationException("damaged buffered document: " + e.getMessage(), e);
    }
  }
}
