package dev.abacus.deploy.simulator.provider;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks a JSON schema against the subset that structured outputs support in strict mode.
 *
 * <p>Sources: OpenAI's guide "Structured model outputs", section "Supported schemas"; for Azure,
 * "How to use structured outputs", section "JSON Schema support and limitations". The guides do not
 * define a nesting level; here each object and each array is one level.
 *
 * @param keywords supported keywords besides those that describe the structure
 * @param properties most properties of all objects
 * @param depth most nesting levels
 * @param enumValues most enum values of all properties
 * @param nameCharacters most characters of all property names, definition names, enum values and
 *     const values
 * @param largeEnumCharacters most characters of the values of an enum with more than 250 values
 */
record StrictSchema(
    Set<String> keywords,
    int properties,
    int depth,
    int enumValues,
    int nameCharacters,
    int largeEnumCharacters) {

  /** OpenAI's limits. */
  static final StrictSchema OPENAI =
      new StrictSchema(
          Set.of(
              "pattern",
              "format",
              "multipleOf",
              "maximum",
              "exclusiveMaximum",
              "minimum",
              "exclusiveMinimum",
              "minItems",
              "maxItems"),
          5000,
          10,
          1000,
          120_000,
          15_000);

  /** Azure documents a smaller subset than OpenAI. */
  static final StrictSchema AZURE = new StrictSchema(Set.of(), 100, 5, 500, 15_000, 7_500);

  private static final Set<String> STRUCTURE =
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
          "title",
          "$schema",
          "$id");

  private static final Set<String> FORMATS =
      Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");

  private static final int LARGE_ENUM = 250;

  /** What is wrong with the schema, as OpenAI words it; null if nothing is. */
  @Nullable String violation(JsonNode schema) {
    String type = schema.path("type").asText("");
    if (schema.has("anyOf")) {
      return "schema must have type 'object' and not have 'anyOf' at the top level.";
    }
    if (!type.equals("object")) {
      return "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"%s\"'."
          .formatted(type.isEmpty() ? "None" : type);
    }
    Walk walk = new Walk();
    String violation = walk.visit(schema, "", 1);
    return violation != null ? violation : walk.excess();
  }

  /** Counts the sizes of one schema. */
  private final class Walk {
    private int propertyCount;
    private int enumCount;
    private int characters;
    private int deepest;

    /** The first violation below a schema; {@code context} is its path as OpenAI writes it. */
    @Nullable String visit(JsonNode schema, String context, int level) {
      String in = "In context=(" + context + "), ";
      if (!schema.isObject()) {
        return in + "a schema must be an object.";
      }
      for (String keyword : names(schema)) {
        if (!STRUCTURE.contains(keyword) && !keywords.contains(keyword)) {
          return in + "'" + keyword + "' is not permitted.";
        }
      }
      if (!schema.has("type")
          && !schema.has("anyOf")
          && !schema.has("$ref")
          && !schema.has("enum")
          && !schema.has("const")) {
        return in + "schema must have a 'type' key.";
      }
      if (schema.has("format") && !FORMATS.contains(schema.path("format").asText())) {
        return in + "'" + schema.path("format").asText() + "' is not a valid format.";
      }
      String violation = enumeration(schema, in);
      if (violation == null && isA(schema, "object")) {
        violation = object(schema, context, level);
      }
      if (violation == null && isA(schema, "array")) {
        deepest = Math.max(deepest, level);
        violation =
            schema.has("items")
                ? visit(schema.path("items"), join(context, "'items'"), level + 1)
                : in + "array schema missing items.";
      }
      for (int i = 0; violation == null && i < schema.path("anyOf").size(); i++) {
        violation =
            visit(schema.path("anyOf").get(i), join(context, "'anyOf', '" + i + "'"), level);
      }
      return violation != null ? violation : definitions(schema, context);
    }

    private @Nullable String object(JsonNode schema, String context, int level) {
      deepest = Math.max(deepest, level);
      String in = "In context=(" + context + "), ";
      JsonNode additional = schema.path("additionalProperties");
      if (!additional.isBoolean() || additional.booleanValue()) {
        return in + "'additionalProperties' is required to be supplied and to be false.";
      }
      Set<String> required = new TreeSet<>();
      schema.path("required").forEach(name -> required.add(name.asText()));
      for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
        propertyCount++;
        characters += property.getKey().length();
        if (!required.remove(property.getKey())) {
          return in
              + "'required' is required to be supplied and to be an array including every key in"
              + " properties. Missing '"
              + property.getKey()
              + "'.";
        }
      }
      if (!required.isEmpty()) {
        return in + "'required' names keys that are not in properties: " + required + ".";
      }
      for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
        String violation =
            visit(
                property.getValue(),
                join(context, "'properties', '" + property.getKey() + "'"),
                level + 1);
        if (violation != null) {
          return violation;
        }
      }
      return null;
    }

    private @Nullable String definitions(JsonNode schema, String context) {
      for (String key : List.of("$defs", "definitions")) {
        for (Map.Entry<String, JsonNode> definition : schema.path(key).properties()) {
          characters += definition.getKey().length();
          String violation =
              visit(
                  definition.getValue(),
                  join(context, "'" + key + "', '" + definition.getKey() + "'"),
                  1);
          if (violation != null) {
            return violation;
          }
        }
      }
      return null;
    }

    private @Nullable String enumeration(JsonNode schema, String in) {
      JsonNode values = schema.path("enum");
      if (values.isMissingNode()) {
        characters += schema.path("const").asText("").length();
        return null;
      }
      if (!values.isArray() || values.isEmpty()) {
        return in + "[] is too short - 'enum'";
      }
      Set<JsonNode> distinct = new HashSet<>();
      int length = 0;
      for (JsonNode value : values) {
        if (!distinct.add(value)) {
          return in + values + " has non-unique elements - 'enum'";
        }
        length += value.asText("").length();
      }
      enumCount += values.size();
      characters += length;
      return values.size() > LARGE_ENUM && length > largeEnumCharacters
          ? in
              + "enum with %d values has %d characters, which exceeds the limit of %d."
                  .formatted(values.size(), length, largeEnumCharacters)
          : null;
    }

    @Nullable String excess() {
      if (deepest > depth) {
        return "%d levels of nesting exceeds limit of %d.".formatted(deepest, depth);
      }
      if (propertyCount > properties) {
        return "%d object properties exceed the limit of %d.".formatted(propertyCount, properties);
      }
      if (enumCount > enumValues) {
        return "%d enum values exceed the limit of %d.".formatted(enumCount, enumValues);
      }
      return characters > nameCharacters
          ? "%d characters of names and enum values exceed the limit of %d."
              .formatted(characters, nameCharacters)
          : null;
    }
  }

  private static boolean isA(JsonNode schema, String type) {
    JsonNode types = schema.path("type");
    if (types.isTextual()) {
      return types.textValue().equals(type);
    }
    for (JsonNode one : types) {
      if (one.asText().equals(type)) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> names(JsonNode schema) {
    Set<String> names = new TreeSet<>();
    schema.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static String join(String context, String step) {
    return context.isEmpty() ? step : context + ", " + step;
  }
}
