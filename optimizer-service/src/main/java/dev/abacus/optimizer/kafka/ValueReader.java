package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Reads values that users write: JSON, or Avro in Confluent's wire format. */
@FunctionalInterface
interface ValueReader {

  /** First byte of Confluent's wire format; no JSON text starts with it. */
  byte AVRO = 0;

  /**
   * The value as a JSON object.
   *
   * @throws BadRecordException if the value is not an object
   * @throws RegistryUnavailableException if the schema registry does not answer
   */
  Document read(String topic, byte[] value) throws BadRecordException;

  /**
   * A reader of both formats.
   *
   * @param avro null if no schema registry is configured; Avro values are then refused
   */
  static ValueReader of(@Nullable AvroValues avro) {
    return (topic, value) -> {
      try {
        return Document.parse(
            value.length > 0 && value[0] == AVRO ? fromAvro(avro, topic, value) : value);
      } catch (InvalidDocumentException e) {
        throw new BadRecordException(String.valueOf(e.getMessage()), e);
      }
    };
  }

  private static byte[] fromAvro(@Nullable AvroValues avro, String topic, byte[] value)
      throws BadRecordException {
    if (avro == null) {
      throw new BadRecordException(
          "the value is Avro, but no schema registry is configured; write JSON or set"
              + " schema.registry.url");
    }
    try {
      return avro.toJson(topic, value).toString().getBytes(StandardCharsets.UTF_8);
    } catch (SerializationException | AvroJsonException e) {
      if (AvroValues.mayBeRetried(e)) {
        // The next session reads the record again.
        throw new RegistryUnavailableException(e);
      }
      throw new BadRecordException("not readable as Avro: " + e.getMessage(), e);
    }
  }
}
