package dev.abacus.deploy.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.result.ResultSchema;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a program that other clients write or read, as an AsyncAPI 3.0 document: sources,
 * references, results, dead letters, corrected results and requests for labels. It is the program
 * that receives and sends.
 *
 * <p>Results have the schema that {@link ResultSchema} derives. Documents of an Avro source have
 * that of the registry, if it is known.
 */
public final class AsyncApiDocument {

  /** Version of AsyncAPI's Kafka bindings. */
  private static final String BINDING = "0.5.0";

  private static final String AVRO = "application/vnd.apache.avro";
  private static final JsonMapper MAPPER = new JsonMapper();

  private static final List<String> RESULT_HEADERS =
      List.of(
          Headers.PROGRAM,
          Headers.PLAN_EPOCH,
          Headers.COST_USD,
          Headers.TOKENS,
          Headers.LATENCY_MS,
          Headers.QUALITY_ESTIMATE,
          Headers.SOURCE);

  private final ObjectNode document =
      JsonNodeFactory.instance.objectNode().put("asyncapi", "3.0.0");
  private final ObjectNode channels;
  private final ObjectNode operations;

  private AsyncApiDocument(Program program) {
    document
        .putObject("info")
        .put("title", program.name())
        .put("version", "1")
        .put("description", "A program of semantic operators, which Abacus runs.");
    document.put("defaultContentType", "application/json");
    channels = document.putObject("channels");
    operations = document.putObject("operations");
  }

  /**
   * Describes a program.
   *
   * @param sources the Avro schemas of the documents by name of the source; a source may be missing
   */
  public static ObjectNode of(Program program, Map<String, Schema> sources, KafkaNames names) {
    AsyncApiDocument api = new AsyncApiDocument(program);
    for (Source source : program.sources()) {
      api.message("receive", source.name(), source.topic())
          .body(source.format(), sources.get(source.name()))
          .summary("A document. The field '%s' is its id.".formatted(source.key()));
    }
    for (Reference reference : program.references()) {
      api.message("receive", reference.name(), reference.topic())
          .body(reference.format(), null)
          .summary(
              "An item, which a tombstone removes. The field '%s' is its id."
                  .formatted(reference.key()));
    }
    String feedback = program.validation().feedback();
    if (feedback != null) {
      api.message("receive", "corrections", feedback)
          .body(Format.JSON, null)
          .summary("A corrected result.");
    }
    api.message("send", "results", program.results().topic())
        .body(program.results().format(), ResultSchema.of(program, sources))
        .headers(RESULT_HEADERS)
        .summary("A result, with the key and the headers of its document.");
    api.message("send", "dead-letters", names.deadLetters(program.name()))
        .headers(List.of(Headers.OPERATOR, Headers.ATTEMPTS))
        .summary("The record of a document that failed; __streams.errors.message says why.");
    if (program.review() > 0) {
      api.message("send", "review", names.review(program.name()))
          .body(Format.JSON, null)
          .headers(List.of(Headers.SOURCE))
          .summary("A document whose label is asked for. Send the answer as a corrected result.");
    }
    return api.document;
  }

  /** Adds a channel with one operation and one message. */
  private Message message(String action, String wanted, String topic) {
    // A source may have the name of a channel of the program.
    String name = channels.has(wanted) ? wanted + "/" + topic : wanted;
    ObjectNode channel = channels.putObject(name).put("address", topic);
    ObjectNode message = channel.putObject("messages").putObject("record");
    channel
        .putObject("bindings")
        .putObject("kafka")
        .put("topic", topic)
        .put("bindingVersion", BINDING);
    operations
        .putObject(action + "-" + name)
        .put("action", action)
        .putObject("channel")
        .put("$ref", "#/channels/" + name.replace("/", "~1"));
    return new Message(message);
  }

  /** A message object of the document. */
  private record Message(ObjectNode json) {

    /** Its value; a null schema is one that is not known. */
    Message body(Format format, @Nullable Schema schema) {
      switch (format) {
        case JSON -> json.set("payload", schema == null ? object() : jsonSchema(schema));
        case PROTOBUF -> json.put("contentType", "application/x-protobuf");
        case FILE -> json.put("contentType", "application/octet-stream");
        case AVRO -> {
          json.put("contentType", AVRO);
          if (schema != null) {
            json.putObject("payload")
                .put("schemaFormat", AVRO + ";version=1.9.0")
                .set("schema", tree(schema));
          }
        }
      }
      return this;
    }

    Message headers(List<String> names) {
      ObjectNode properties =
          json.putObject("headers").put("type", "object").putObject("properties");
      names.forEach(name -> properties.putObject(name).put("type", "string"));
      return this;
    }

    void summary(String text) {
      json.put("summary", text);
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode().put("type", "object");
  }

  private static JsonNode tree(Schema schema) {
    try {
      return MAPPER.readTree(schema.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("an Avro schema is no JSON: " + schema, e);
    }
  }

  /** What values of an Avro schema are in JSON. */
  private static ObjectNode jsonSchema(Schema schema) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return switch (schema.getType()) {
      case RECORD -> {
        ObjectNode properties = json.put("type", "object").putObject("properties");
        for (Schema.Field field : schema.getFields()) {
          ObjectNode property = jsonSchema(field.schema());
          if (field.doc() != null) {
            property.put("description", field.doc());
          }
          properties.set(field.name(), property);
        }
        yield json;
      }
      case UNION -> {
        if (ResultSchema.isUndeclared(schema)) {
          yield json;
        }
        ArrayNode choices = json.putArray("anyOf");
        schema.getTypes().forEach(type -> choices.add(jsonSchema(type)));
        yield json;
      }
      case ARRAY -> {
        json.put("type", "array").set("items", jsonSchema(schema.getElementType()));
        yield json;
      }
      case MAP -> {
        json.put("type", "object").set("additionalProperties", jsonSchema(schema.getValueType()));
        yield json;
      }
      case NULL -> json.put("type", "null");
      case BOOLEAN -> json.put("type", "boolean");
      case INT, LONG -> json.put("type", "integer");
      case FLOAT, DOUBLE -> json.put("type", "number");
      case STRING, ENUM, BYTES, FIXED -> json.put("type", "string");
    };
  }
}
