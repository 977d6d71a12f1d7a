package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.protobuf.ProtobufValues;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes the documents of one topic. */
public final class DocumentFormat {

  private final String topic;
  private final Format format;
  private final @Nullable AvroValues avro;
  private final @Nullable ProtobufValues protobuf;

  /** The latest schema that is registered for the topic; null until a document is written. */
  private @Nullable Schema schema;

  /**
   * @param avro the registry; not null if the format uses one
   */
  DocumentFormat(String topic, Format format, @Nullable AvroValues avro) {
    this.topic = topic;
    this.format = format;
    this.avro = avro;
    this.protobuf =
        avro != null && format == Format.PROTOBUF ? new ProtobufValues(avro.registry()) : null;
  }

  /**
   * Encodes a document as a record value.
   *
   * @throws OperationFailedException if the topic cannot have the document, or is Protobuf
   */
  byte[] write(Document document) {
    return switch (format) {
      case JSON -> document.toBytes();
      case FILE -> {
        JsonNode content = document.get(FileReading.CONTENT);
        yield Media.of(content) instanceof Media.Content file
            ? file.bytes()
            : content.asText().getBytes(StandardCharsets.UTF_8);
      }
      case AVRO -> writeAvro(document, Objects.requireNonNull(avro));
      case PROTOBUF ->
          throw new OperationFailedException(
              "documents of %s are Protobuf, which is read and not written".formatted(topic),
              "Send them with your producer.");
    };
  }

  private byte[] writeAvro(Document document, AvroValues values) {
    try {
      return values.toAvro(topic, document.toJson(), latest(values));
    } catch (SerializationException | AvroJsonException e) {
      throw new OperationFailedException(
          "a document does not fit the schema of %s: %s".formatted(topic, e.getMessage()),
          "Correct the documents, or register a schema that they fit.",
          e);
    }
  }

  private Schema latest(AvroValues values) {
    if (schema == null) {
      try {
        schema = values.registry().latest(topic + "-value").schema();
      } catch (RegistryException e) {
        throw new OperationFailedException(
            "there is no schema for %s: %s".formatted(topic, e.getMessage()),
            "Register one under %s-value.".formatted(topic),
            e);
      }
    }
    return schema;
  }

  /**
   * Decodes a record value.
   *
   * @throws InvalidDocumentException if the value does not have this format
   */
  ObjectNode read(byte[] value) throws InvalidDocumentException {
    return switch (format) {
      case JSON -> Document.parse(value).toJson();
      case FILE -> throw new InvalidDocumentException("a file");
      case AVRO, PROTOBUF -> readRegistered(value, Objects.requireNonNull(avro));
    };
  }

  private ObjectNode readRegistered(byte[] value, AvroValues values)
      throws InvalidDocumentException {
    try {
      JsonNode json =
          protobuf == null ? values.toJson(topic, value) : protobuf.toJson(topic, value);
      if (json instanceof ObjectNode object) {
        return object;
      }
      throw new InvalidDocumentException("not an Avro record");
    } catch (SerializationException | AvroJsonException e) {
      throw new InvalidDocumentException(
          "not readable as %s: %s"
              .formatted(protobuf == null ? "Avro" : "Protobuf", e.getMessage()),
          e);
    }
  }

  /**
   * Decodes a result of the program.
   *
   * @throws OperationFailedException if the value does not have this format
   */
  public ObjectNode result(ConsumerRecord<byte[], byte[]> record) {
    try {
      return read(record.value());
    } catch (InvalidDocumentException e) {
      throw new OperationFailedException(
          "a result on %s cannot be read: %s".formatted(record.topic(), e.getMessage()),
          "Check that nothing else writes to that topic, and --schema-registry.",
          e);
    }
  }
}
