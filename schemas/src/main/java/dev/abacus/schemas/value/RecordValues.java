package dev.abacus.schemas.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.protobuf.ProtobufValues;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of records in every format. All methods throw a {@link SerializationException}
 * while the schema registry cannot be reached, because the value may be valid.
 */
public final class RecordValues {

  /** Refuses Avro and Protobuf, because no registry is configured. */
  public static final RecordValues WITHOUT_REGISTRY = new RecordValues(null);

  /** First byte of Confluent's wire format; no JSON text starts with it. */
  private static final byte REGISTERED = 0;

  private final @Nullable AvroValues avro;
  private final @Nullable ProtobufValues protobuf;

  /**
   * A reader of all formats.
   *
   * @param avro has the registry, and is closed by the caller; null if none is configured
   */
  public RecordValues(@Nullable AvroValues avro) {
    this.avro = avro;
    this.protobuf = avro == null ? null : new ProtobufValues(avro.registry());
  }

  /** Whether a value that may be JSON has its schema in a registry instead. */
  public static boolean isRegistered(byte[] value) {
    return value.length > 0 && value[0] == REGISTERED;
  }

  /**
   * The document of a record of a source.
   *
   * @param key the record key; null if the record has none
   * @throws InvalidDocumentException if the value is not a document, or one that stores and topics
   *     could not hold as JSON
   */
  public Document read(Source source, byte @Nullable [] key, byte[] value)
      throws InvalidDocumentException {
    return source.format() == Format.FILE
        ? FileReading.document(
            source.key(), key == null ? null : new String(key, StandardCharsets.UTF_8), value)
        : read(source.topic(), source.format(), value).admitted();
  }

  /**
   * The document that a value is.
   *
   * @throws InvalidDocumentException if the value is none in this format
   */
  public Document read(String topic, Format format, byte[] value) throws InvalidDocumentException {
    return switch (format) {
      case JSON -> Document.parse(value);
      case FILE -> throw new InvalidDocumentException("a file");
      case AVRO, PROTOBUF -> {
        if (registered(topic, format, value) instanceof ObjectNode object) {
          yield Document.of(object);
        }
        throw new InvalidDocumentException("not an Avro record");
      }
    };
  }

  /**
   * The JSON of a value whose schema is in the registry.
   *
   * @param format Avro or Protobuf
   * @throws InvalidDocumentException if the value does not have this format, or if there is no
   *     registry
   */
  public JsonNode registered(String topic, Format format, byte[] value)
      throws InvalidDocumentException {
    String name = format == Format.PROTOBUF ? "Protobuf" : "Avro";
    AvroValues values = avro;
    ProtobufValues messages = protobuf;
    if (values == null || messages == null) {
      throw new InvalidDocumentException(
          "the value is %s, but no schema registry is configured; write JSON or set schema.registry.url"
              .formatted(name));
    }
    try {
      return format == Format.PROTOBUF
          ? messages.toJson(topic, value)
          : values.toJson(topic, value);
    } catch (SerializationException | AvroJsonException e) {
      if (AvroValues.mayBeRetried(e)) {
        throw e;
      }
      throw new InvalidDocumentException(
          AvroValues.isUnknownSchema(e)
              ? "the schema registry does not have its schema: " + e.getMessage()
              : "not readable as %s: %s".formatted(name, e.getMessage()),
          e);
    }
  }
}
