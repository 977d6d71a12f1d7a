package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.JsonParts;
import java.util.Set;

/**
 * Response schemas with only those keywords that every endpoint with structured outputs accepts:
 * types, properties, enumerations and references. Azure, for one, refuses bounds of numbers,
 * lengths, patterns and formats (Azure OpenAI, "Structured outputs", "JSON Schema support and
 * limitations").
 */
final class PlainSchemas {

  private static final Set<String> KEYWORDS =
      Set.of(
          "type",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "enum",
          "const",
          "anyOf",
          "$ref",
          "$defs",
          "definitions",
          "description",
          "title");

  /** Keywords whose members are names, not keywords. */
  private static final Set<String> NAMED = Set.of("properties", "$defs", "definitions");

  private PlainSchemas() {}

  /** Whether {@link #of} leaves nothing out. */
  static boolean isPlain(JsonNode schema) {
    return of(schema).equals(schema);
  }

  /** A copy of the schema without other keywords. */
  static JsonNode of(JsonNode schema) {
    if (!(schema instanceof ObjectNode whole)) {
      return schema;
    }
    ObjectNode plain = whole.objectNode();
    whole
        .properties()
        .forEach(keyword -> {
          if (KEYWORDS.contains(keyword.getKey())) {
            plain.set(keyword.getKey(), value(keyword.getKey(), keyword.getValue()));
          }
        });
    return plain;
  }

  private static JsonNode value(String keyword, JsonNode value) {
    if ((NAMED.contains(keyword) && value.isObject())
        || (keyword.equals("anyOf") && value.isArray())) {
      return JsonParts.changed(value, PlainSchemas::of);
    }
    return keyword.equals("items") ? of(value) : value;
  }
}
