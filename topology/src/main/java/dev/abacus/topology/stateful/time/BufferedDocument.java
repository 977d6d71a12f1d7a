package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serde;

/** A document that a store keeps until event time has come, with the headers of its record. */
public record BufferedDocument(List<Header> headers, Envelope envelope) {

  private static final byte VERSION = 1;

  /** Layout: version (1 byte), headers, envelope. */
  public static final Serde<BufferedDocument> SERDE =
      new BinaryLayout<BufferedDocument>(
              "buffered document",
              (document, to) -> {
                to.writeByte(VERSION);
                ImmutableHeader.writeAll(to, document.headers);
                to.write(document.envelope.toBytes());
              },
              BufferedDocument::read)
          .serde();

  public BufferedDocument {
    headers = List.copyOf(headers);
  }

  private static BufferedDocument read(DataInputStream from) throws IOException {
    byte version = from.readByte();
    if (version != VERSION) {
      throw new SerializationException("buffered document of version " + version);
    }
    return new BufferedDocument(ImmutableHeader.readAll(from), Envelope.read(from.readAllBytes()));
  }
}
