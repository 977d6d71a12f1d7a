package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroSerdeConfig;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.SchemaRegistry;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.protobuf.ProtobufValues;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Creates the {@link DocumentFormat} of a topic; holds the connection to the schema registry. */
public final class DocumentFormats implements AutoCloseable {

  private final Map<String, String> properties;
  private final @Nullable AvroValues avro;

  /**
   * @param properties of the Avro serde; {@code schema.registry.url} names the registry, if any
   */
  public DocumentFormats(Map<String, String> properties) {
    this.properties = Map.copyOf(properties);
    this.avro = AvroValues.connect(properties);
  }

  /**
   * Returns the format of a topic.
   *
   * @throws OperationFailedException if the format needs a registry and none is configured
   */
  public DocumentFormat of(String topic, Format format) {
    return switch (format) {
      case JSON -> DocumentFormat.JSON;
      case FILE -> DocumentFormat.FILE;
      case AVRO -> new Avro(topic, connected(topic));
      case PROTOBUF -> new Protobuf(topic, new ProtobufValues(connected(topic).registry()));
    };
  }

  private AvroValues connected(String topic) {
    if (avro == null) {
      throw new OperationFailedException(
          "the values of %s have their schema in a registry, and none is named".formatted(topic),
          "Name it with --schema-registry.");
    }
    return avro;
  }

  @Override
  public void close() {
    if (avro != null) {
      avro.close();
    }
  }

  /** Reads Protobuf; only producers of the user write it. */
  private record Protobuf(String topic, ProtobufValues values) implements DocumentFormat {

    @Override
    public byte[] write(Document document) {
      throw new OperationFailedException(
          "documents of %s are Protobuf, which is read and not written".formatted(topic),
          "Send them with your producer.");
    }

    @Override
    public ObjectNode read(byte[] value) throws InvalidDocumentException {
      try {
        return values.toJson(topic, value);
      } catch (SerializationException e) {
        throw new InvalidDocumentException("not readable as Protobuf: " + e.getMessage(), e);
      }
    }
  }

  /** Writes with the latest schema that is registered for the topic. */
  private final class Avro implements DocumentFormat {

    private final String topic;
    private final AvroValues values;
    private @Nullable Schema schema;

    Avro(String topic, AvroValues values) {
      this.topic = topic;
      this.values = values;
    }

    @Override
    public byte[] write(Document document) {
      try {
        return values.toAvro(topic, document.toJson(), schema());
      } catch (SerializationException | AvroJsonException e) {
        throw new OperationFailedException(
            "a document does not fit the schema of %s: %s".formatted(topic, e.getMessage()),
            "Correct the documents, or register a schema that they fit.",
            e);
      }
    }

    private Schema schema() {
      if (schema == null) {
        try (SchemaRegistry registry = SchemaRegistry.connect(new AvroSerdeConfig(properties))) {
          schema = registry.latest(topic + "-value").schema();
        } catch (RegistryException e) {
          throw new OperationFailedException(
              "there is no schema for %s: %s".formatted(topic, e.getMessage()),
              "Register one under %s-value.".formatted(topic),
              e);
        }
      }
      return schema;
    }

    @Override
    public ObjectNode read(byte[] value) throws InvalidDocumentException {
      try {
        JsonNode json = values.toJson(topic, value);
        if (json instanceof ObjectNode object) {
          return object;
        }
        throw new InvalidDocumentException("not an Avro record");
      } catch (SerializationException | AvroJsonException e) {
        throw new InvalidDocumentException("not readable as Avro: " + e.getMessage(), e);
      }
    }
  }
}
