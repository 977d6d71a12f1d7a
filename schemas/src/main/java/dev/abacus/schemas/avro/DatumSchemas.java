package dev.abacus.schemas.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericContainer;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.errors.SerializationException;

/** The schema of a value, and the form of it that is registered. */
final class DatumSchemas {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Schema BOOLEAN = Schema.create(Schema.Type.BOOLEAN);
  private static final Schema INT = Schema.create(Schema.Type.INT);
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema FLOAT = Schema.create(Schema.Type.FLOAT);
  private static final Schema DOUBLE = Schema.create(Schema.Type.DOUBLE);
  private static final Schema STRING = Schema.create(Schema.Type.STRING);
  private static final Schema BYTES = Schema.create(Schema.Type.BYTES);

  private DatumSchemas() {}

  static Schema of(String topic, Object datum) {
    return switch (datum) {
      case GenericContainer container -> container.getSchema();
      case Boolean _ -> BOOLEAN;
      case Integer _ -> INT;
      case Long _ -> LONG;
      case Float _ -> FLOAT;
      case Double _ -> DOUBLE;
      case CharSequence _ -> STRING;
      case byte[] _, ByteBuffer _ -> BYTES;
      default ->
          throw new SerializationException(
              "A %s for topic '%s' has no Avro schema; expected an Avro record or a primitive type"
                  .formatted(datum.getClass().getName(), topic));
    };
  }

  /**
   * The schema without {@code avro.java.string}: other readers do not need the Java class of
   * strings, and it would make the same schema a new version.
   */
  static Schema registrable(Schema schema) {
    String text = schema.toString();
    if (!text.contains(GenericData.STRING_PROP)) {
      return schema;
    }
    try {
      String stripped = stripped(JSON.readTree(text)).toString();
      return new Schema.Parser(NameValidator.NO_VALIDATION)
          .setValidateDefaults(false)
          .parse(stripped);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Avro wrote a schema that is not JSON: " + text, e);
    }
  }

  private static JsonNode stripped(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(GenericData.STRING_PROP);
      object
          .properties()
          .forEach(it -> {
            if (!it.getKey().equals("default")) {
              it.setValue(stripped(it.getValue()));
            }
          });
      boolean bareType = object.size() == 1 && object.path("type").isTextual();
      return bareType ? object.path("type") : object;
    }
    if (node.isArray()) {
      var array = JSON.createArrayNode();
      node.forEach(it -> array.add(stripped(it)));
      return array;
    }
    return node;
  }
}
