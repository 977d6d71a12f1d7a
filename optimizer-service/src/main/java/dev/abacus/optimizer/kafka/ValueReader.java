package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.protobuf.ProtobufValues;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Reads values that users write: JSON, and Avro and Protobuf in Confluent's wire format. */
final class ValueReader {

  /** First byte of Confluent's wire format; no JSON text starts with it. */
  private static final byte REGISTERED = 0;

  private final @Nullable AvroValues avro;
  private final @Nullable ProtobufValues protobuf;

  /**
   * A reader of all formats.
   *
   * @param avro null if no schema registry is configured; Avro and Protobuf are then refused
   */
  ValueReader(@Nullable AvroValues avro) {
    this.avro = avro;
    this.protobuf = avro == null ? null : new ProtobufValues(avro.registry());
  }

  /**
   * A value in JSON or Avro as a JSON object.
   *
   * @throws BadRecordException if the value is not an object
   * @throws RegistryUnavailableException if the schema registry does not answer
   */
  Document read(String topic, byte[] value) throws BadRecordException {
    AvroValues values = avro;
    return document(
        value.length > 0 && value[0] == REGISTERED
            ? registered("Avro", values == null ? null : () -> values.toJson(topic, value))
            : value);
  }

  /** As {@link #read}, of a value in Protobuf. */
  Document readProtobuf(String topic, byte[] value) throws BadRecordException {
    ProtobufValues values = protobuf;
    return document(
        registered("Protobuf", values == null ? null : () -> values.toJson(topic, value)));
  }

  private static Document document(byte[] json) throws BadRecordException {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  private static byte[] registered(String format, @Nullable Supplier<JsonNode> reading)
      throws BadRecordException {
    if (reading == null) {
      throw new BadRecordException(
          "the value is %s, but no schema registry is configured; write JSON or set schema.registry.url"
              .formatted(format));
    }
    try {
      return reading.get().toString().getBytes(StandardCharsets.UTF_8);
    } catch (SerializationException | AvroJsonException e) {
      if (AvroValues.mayBeRetried(e)) {
        // The next session reads the record again.
        throw new RegistryUnavailableException(e);
      }
      throw new BadRecordException("not readable as %s: %s".formatted(format, e.getMessage()), e);
    }
  }
}
