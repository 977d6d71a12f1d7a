package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import java.util.List;

/**
 * Converts fields to a strict JSON schema: objects are closed, every property is required, and an
 * absent value is null (OpenAI, "Structured outputs").
 */
final class FieldSchema {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private FieldSchema() {}

  /** The schema of an object with these fields and no others. */
  public static ObjectNode of(List<Field> fields) {
    ObjectNode schema = JSON.objectNode().put("type", "object");
    fillObject(schema, fields);
    return schema;
  }

  private static void fillObject(ObjectNode schema, List<Field> fields) {
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
    for (Field field : fields) {
      properties.set(field.name(), of(field));
      required.add(field.name());
    }
    schema.put("additionalProperties", false);
  }

  private static ObjectNode of(Field field) {
    ObjectNode schema = of(field.type());
    if (field.nullable()) {
      String type = schema.path("type").textValue();
      schema.putArray("type").add(type).add("null");
      if (schema.get("enum") instanceof ArrayNode values) {
        values.addNull();
      }
    }
    if (!field.description().isBlank()) {
      schema.put("description", field.description());
    }
    return schema;
  }

  private static ObjectNode of(FieldType type) {
    ObjectNode schema = JSON.objectNode();
    switch (type) {
      case FieldType.StringType(List<String> values) -> {
        schema.put("type", "string");
        if (!values.isEmpty()) {
          ArrayNode choices = schema.putArray("enum");
          values.forEach(choices::add);
        }
      }
      case FieldType.IntegerType(Long minimum, Long maximum) ->
          fillNumber(schema, "integer", JSON.numberNode(minimum), JSON.numberNode(maximum));
      case FieldType.NumberType(Double minimum, Double maximum) ->
          fillNumber(schema, "number", JSON.numberNode(minimum), JSON.numberNode(maximum));
      case FieldType.BooleanType _ -> schema.put("type", "boolean");
      case FieldType.ListType(FieldType items) ->
          schema.put("type", "array").set("items", of(items));
      case FieldType.ObjectType(List<Field> fields) ->
          fillObject(schema.put("type", "object"), fields);
    }
    return schema;
  }

  /** Describes numbers with the bounds that are not null. */
  private static void fillNumber(
      ObjectNode schema, String type, ValueNode minimum, ValueNode maximum) {
    schema.put("type", type);
    if (!minimum.isNull()) {
      schema.set("minimum", minimum);
    }
    if (!maximum.isNull()) {
      schema.set("maximum", maximum);
    }
  }
}
