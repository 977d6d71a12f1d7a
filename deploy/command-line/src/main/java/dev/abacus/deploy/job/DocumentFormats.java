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
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes documents; holds the connection to the schema registry. */
public final class DocumentFormats implements AutoCloseable {

  private final @Nullable AvroValues avro;
  private final RecordValues values;

  /** The latest schemas that are registered for the topics to which documents were written. */
  private final Map<String, Schema> schemas = new HashMap<>();

  /**
   * @param properties of the Avro serde; {@code schema.registry.url} names the registry, if any
   */
  public DocumentFormats(Map<String, String> properties) {
    this.avro = AvroValues.connect(properties);
    this.values = new RecordValues(avro);
  }

  /**
   * Checks that values of a topic can be read and written.
   *
   * @throws OperationFailedException if the format needs a registry and none is configured
   */
  public void require(String topic, Format format) {
    if (avro == null && format.usesRegistry()) {
      throw new OperationFailedException(
          "the values of %s have their schema in a registry, and none is named".formatted(topic),
          "Name it with --schema-registry.");
    }
  }

  /**
   * Encodes a document as a record value of a topic that was {@link #require}d.
   *
   * @throws OperationFailedException if the topic cannot have the document, is Protobuf, or the
   *     registry cannot be reached
   */
  byte[] write(String topic, Format format, Document document) {
    return switch (format) {
      case JSON -> document.toBytes();
      case FILE -> {
        JsonNode content = document.get(FileReading.CONTENT);
        yield Media.of(content) instanceof Media.Content file
            ? file.bytes()
            : content.asText().getBytes(StandardCharsets.UTF_8);
      }
      case AVRO -> writeAvro(topic, document);
      case PROTOBUF ->
          throw new OperationFailedException(
              "documents of %s are Protobuf, which is read and not written".formatted(topic),
              "Send them with your producer.");
    };
  }

  private byte[] writeAvro(String topic, Document document) {
    AvroValues values = Objects.requireNonNull(avro);
    Schema schema = schemas.computeIfAbsent(topic, name -> latest(name, values));
    try {
      return values.toAvro(topic, document.toJson(), schema);
    } catch (SerializationException | AvroJsonException e) {
      failIfAway(e);
      throw new OperationFailedException(
          "a document does not fit the schema of %s: %s".formatted(topic, e.getMessage()),
          "Correct the documents, or register a schema that they fit.",
          e);
    }
  }

  private static Schema latest(String topic, AvroValues values) {
    try {
      return values.registry().latest(topic + "-value").schema();
    } catch (RegistryException e) {
      failIfAway(e);
      throw new OperationFailedException(
          "there is no schema for %s: %s".formatted(topic, e.getMessage()),
          "Register one under %s-value.".formatted(topic),
          e);
    }
  }

  /**
   * Decodes a record value of a topic that was {@link #require}d.
   *
   * @throws InvalidDocumentException if the value does not have this format
   * @throws OperationFailedException if the registry cannot be reached
   */
  ObjectNode read(String topic, Format format, byte[] value) throws InvalidDocumentException {
    try {
      return values.read(topic, format, value).toJson();
    } catch (SerializationException e) {
      failIfAway(e);
      throw new InvalidDocumentException("not readable: " + e.getMessage(), e);
    }
  }

  /**
   * Decodes a result of a program.
   *
   * @throws OperationFailedException if the value does not have the program's format, or the
   *     registry cannot be reached
   */
  public ObjectNode result(Program program, ConsumerRecord<byte[], byte[]> record) {
    try {
      return read(record.topic(), program.results().format(), record.value());
    } catch (InvalidDocumentException e) {
      throw new OperationFailedException(
          "a result on %s cannot be read: %s".formatted(record.topic(), e.getMessage()),
          "Check that nothing else writes to that topic, and --schema-registry.",
          e);
    }
  }

  private static void failIfAway(RuntimeException failure) {
    if (AvroValues.mayBeRetried(failure)) {
      throw new OperationFailedException(
          "the schema registry cannot be used: " + failure.getMessage(),
          "Check --schema-registry, and run the command again when the registry answers.",
          failure);
    }
  }

  @Override
  public void close() {
    if (avro != null) {
      avro.close();
    }
  }
}
