package dev.abacus.topology.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.avro.AvroJsonException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryOutage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.topology.model.WaitListener;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of a source and writes results. Both wait while the schema registry cannot be
 * reached, because the document may be valid. A malformed document and one whose schema the
 * registry does not have fail at once.
 */
public final class DocumentCodec {

  private final Source source;
  private final String resultTopic;
  private final @Nullable AvroValues avro;

  /** Null unless results are in Avro; the names of fields may be invalid in Avro. */
  private final @Nullable Schema resultSchema;

  /**
   * A codec for one program.
   *
   * @param avro null if no registry is configured
   * @throws IllegalArgumentException if the program uses Avro and no registry is configured
   */
  public DocumentCodec(Program program, Source source, @Nullable AvroValues avro) {
    this.source = source;
    this.resultTopic = program.results().topic();
    boolean avroResults = program.results().format() == Format.AVRO;
    this.resultSchema = avroResults ? ResultSchema.of(program) : null;
    this.avro = avro;
    if ((avroResults || source.format() == Format.AVRO) && avro == null) {
      throw new IllegalArgumentException(
          "program '%s' uses Avro, but no schema registry is configured; set schema.registry.url"
              .formatted(program.name()));
    }
  }

  /** The name of the source in the program. */
  public String source() {
    return source.name();
  }

  /**
   * Reads a document.
   *
   * @throws InvalidDocumentException if the value is not a document
   */
  public Document read(byte[] value) throws InvalidDocumentException, InterruptedException {
    if (source.format() == Format.JSON || avro == null) {
      return Document.parse(value);
    }
    AvroValues values = avro;
    try {
      JsonNode json = await(values, () -> values.toJson(source.topic(), value));
      if (json instanceof ObjectNode object) {
        return Document.of(object);
      }
      throw new InvalidDocumentException("not an Avro record");
    } catch (SerializationException | AvroJsonException e) {
      throw new InvalidDocumentException(
          AvroValues.isUnknownSchema(e)
              ? "the schema registry does not have its schema: " + e.getMessage()
              : "not readable as Avro: " + e.getMessage(),
          e);
    }
  }

  /**
   * Writes a result.
   *
   * @throws SerializationException if the registry refuses its schema
   */
  byte[] write(Document document) throws InterruptedException {
    AvroValues values = avro;
    Schema schema = resultSchema;
    if (schema == null || values == null) {
      return document.toBytes();
    }
    ObjectNode json = fitting(document, schema);
    return await(values, () -> values.toAvro(resultTopic, json, schema));
  }

  /** The fields of the schema. */
  private static ObjectNode fitting(Document document, Schema schema) {
    ObjectNode json = Document.empty().toJson();
    for (Schema.Field field : schema.getFields()) {
      JsonNode value = document.get(field.name());
      if (!value.isMissingNode()) {
        json.set(field.name(), ResultSchema.fitting(value, field.schema()));
      }
    }
    return json;
  }

  /** Gives up the place of the work while it waits. */
  private static <T> T await(AvroValues values, Supplier<T> call) throws InterruptedException {
    WaitListener listener = WaitListener.current();
    return values
        .outage()
        .call(
            call,
            new RegistryOutage.Waiter() {
              @Override
              public void waiting() {
                listener.waiting();
              }

              @Override
              public void resumed() {
                listener.resumed();
              }
            });
  }
}
