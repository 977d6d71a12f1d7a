package dev.abacus.deploy.simulator.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

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

  /**
   * Checks a schema.
   *
   * @param name of the schema in the request
   * @throws ApiException if it is outside of the subset
   */
  void check(String name, JsonNode schema) {
    String type = schema.path("type").asText("");
    Walk walk = new Walk(name);
    if (schema.has("anyOf")) {
      throw walk.refuse("schema must have type 'object' and not have 'anyOf' at the top level.");
    }
    if (!type.equals("object")) {
      throw walk.refuse(
          "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"%s\"'."
              .formatted(type.isEmpty() ? "None" : type));
    }
    walk.visit(schema, "", 1);
    walk.checkSizes();
  }

  /** Checks one schema, and counts its sizes. A {@code context} is a path as OpenAI writes it. */
  private final class Walk {
    private final String name;
    private int propertyCount;
    private int enumCount;
    private int characters;
    private int deepest;

    Walk(String name) {
      this.name = name;
    }

    ApiException refuse(String violation) {
      // Chat completions have no code here; the Responses API has invalid_json_schema.
      return ApiException.invalid(
          "Invalid schema for response_format '" + name + "': " + violation,
          "response_format",
          null);
    }

    private ApiException refuse(String context, String violation) {
      return refuse("In context=(" + context + "), " + violation);
    }

    void visit(JsonNode schema, String context, int level) {
      if (!schema.isObject()) {
        throw refuse(context, "a schema must be an object.");
      }
      for (String keyword : names(schema)) {
        if (!STRUCTURE.contains(keyword) && !keywords.contains(keyword)) {
          throw refuse(context, "'" + keyword + "' is not permitted.");
        }
      }
      if (Stream.of("type", "anyOf", "$ref", "enum", "const").noneMatch(schema::has)) {
        throw refuse(context, "schema must have a 'type' key.");
      }
      if (schema.has("format") && !FORMATS.contains(schema.path("format").asText())) {
        throw refuse(context, "'" + schema.path("format").asText() + "' is not a valid format.");
      }
      enumeration(schema, context);
      if (isA(schema, "object")) {
        object(schema, context, level);
      }
      if (isA(schema, "array")) {
        deepest = Math.max(deepest, level);
        if (!schema.has("items")) {
          throw refuse(context, "array schema missing items.");
        }
        visit(schema.path("items"), join(context, "'items'"), level + 1);
      }
      for (int i = 0; i < schema.path("anyOf").size(); i++) {
        visit(schema.path("anyOf").get(i), join(context, "'anyOf', '" + i + "'"), level);
      }
      for (String key : List.of("$defs", "definitions")) {
        for (Map.Entry<String, JsonNode> definition : schema.path(key).properties()) {
          characters += definition.getKey().length();
          visit(definition.getValue(), named(context, key, definition), 1);
        }
      }
    }

    private void object(JsonNode schema, String context, int level) {
      deepest = Math.max(deepest, level);
      JsonNode additional = schema.path("additionalProperties");
      if (!additional.isBoolean() || additional.booleanValue()) {
        throw refuse(context, "'additionalProperties' is required to be supplied and to be false.");
      }
      Set<String> required = new TreeSet<>();
      schema.path("required").forEach(one -> required.add(one.asText()));
      Set<Map.Entry<String, JsonNode>> properties = schema.path("properties").properties();
      for (Map.Entry<String, JsonNode> property : properties) {
        propertyCount++;
        characters += property.getKey().length();
        if (!required.remove(property.getKey())) {
          throw refuse(
              context,
              "'required' is required to be supplied and to be an array including every key in"
                  + " properties. Missing '"
                  + property.getKey()
                  + "'.");
        }
      }
      if (!required.isEmpty()) {
        throw refuse(
            context, "'required' names keys that are not in properties: " + required + ".");
      }
      for (Map.Entry<String, JsonNode> property : properties) {
        visit(property.getValue(), named(context, "properties", property), level + 1);
      }
    }

    private void enumeration(JsonNode schema, String context) {
      JsonNode values = schema.path("enum");
      if (values.isMissingNode()) {
        characters += schema.path("const").asText("").length();
        return;
      }
      if (!values.isArray() || values.isEmpty()) {
        throw refuse(context, "[] is too short - 'enum'");
      }
      Set<JsonNode> distinct = new HashSet<>();
      int length = 0;
      for (JsonNode value : values) {
        if (!distinct.add(value)) {
          throw refuse(context, values + " has non-unique elements - 'enum'");
        }
        length += value.asText("").length();
      }
      enumCount += values.size();
      characters += length;
      if (values.size() > LARGE_ENUM && length > largeEnumCharacters) {
        throw refuse(
            context,
            "enum with %d values has %d characters, which exceeds the limit of %d."
                .formatted(values.size(), length, largeEnumCharacters));
      }
    }

    void checkSizes() {
      check("%d levels of nesting exceeds limit of %d.", deepest, depth);
      check("%d object properties exceed the limit of %d.", propertyCount, properties);
      check("%d enum values exceed the limit of %d.", enumCount, enumValues);
      check(
          "%d characters of names and enum values exceed the limit of %d.",
          characters, nameCharacters);
    }

    private void check(String violation, int size, int most) {
      if (size > most) {
        throw refuse(violation.formatted(size, most));
      }
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

  /** The context of a property or definition. */
  private static String named(String context, String kind, Map.Entry<String, JsonNode> entry) {
    return join(context, "'" + kind + "', '" + entry.getKey() + "'");
  }

  private static String join(String context, String step) {
    return context.isEmpty() ? step : context + ", " + step;
  }
}
