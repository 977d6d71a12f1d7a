package dev.abacus.deploy.simulator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a JSON schema that a simulated answer must fit.
 *
 * @param type the type besides null
 * @param nullable whether null is allowed
 * @param choices values of an enum or const; empty if any value is allowed
 * @param items schema of the items of an array, or null
 * @param properties properties of an object, in order
 */
public record FieldShape(
    Type type,
    boolean nullable,
    List<JsonNode> choices,
    double minimum,
    double maximum,
    @Nullable FieldShape items,
    Map<String, FieldShape> properties) {

  private static final int DEEPEST = 12;

  /** JSON types. */
  public enum Type {
    STRING,
    INTEGER,
    NUMBER,
    BOOLEAN,
    ARRAY,
    OBJECT
  }

  /** Reads a schema; an unknown type counts as a string. */
  public static FieldShape of(JsonNode schema) {
    return of(schema, schema, 0);
  }

  /**
   * An object of this shape.
   *
   * @param value gives the value of a property by its name and shape
   */
  public ObjectNode object(BiFunction<String, FieldShape, JsonNode> value) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    properties.forEach((name, shape) -> object.set(name, value.apply(name, shape)));
    return object;
  }

  /** The shape of a type in words, such as {@code list of string}. */
  public static FieldShape ofWords(String words) {
    String type = words.toLowerCase(Locale.ROOT);
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    if (type.contains("list") || type.contains("array") || type.contains("[]")) {
      schema.put("type", "array");
      schema.putObject("items").put("type", named(type.replace("list", "").replace("array", "")));
    } else {
      schema.put("type", named(type));
    }
    return of(schema);
  }

  private static String named(String words) {
    if (words.contains("int")) {
      return "integer";
    }
    if (words.contains("bool")) {
      return "boolean";
    }
    boolean number =
        words.contains("number") || words.contains("double") || words.contains("float");
    return number ? "number" : "string";
  }

  private static FieldShape of(JsonNode schema, JsonNode root, int depth) {
    JsonNode node = resolve(schema, root);
    boolean nullable = false;
    for (String union : List.of("anyOf", "oneOf", "allOf")) {
      for (JsonNode option : node.path(union)) {
        if (option.path("type").asText().equals("null")) {
          nullable = true;
        } else if (node.path("type").isMissingNode()) {
          node = resolve(option, root);
        }
      }
    }
    String type = "";
    for (JsonNode name :
        node.path("type").isArray() ? node.path("type") : List.of(node.path("type"))) {
      nullable |= name.asText().equals("null");
      type = type.isEmpty() && !name.asText().equals("null") ? name.asText() : type;
    }
    List<JsonNode> choices = choices(node);
    nullable |= hasNull(node.path("enum"));
    return new FieldShape(
        type(type, node, choices),
        nullable,
        choices,
        node.path("minimum").asDouble(Double.NEGATIVE_INFINITY),
        node.path("maximum").asDouble(Double.POSITIVE_INFINITY),
        node.has("items") && depth < DEEPEST ? of(node.path("items"), root, depth + 1) : null,
        depth < DEEPEST ? properties(node, root, depth) : Map.of());
  }

  private static Map<String, FieldShape> properties(JsonNode node, JsonNode root, int depth) {
    Map<String, FieldShape> properties = new LinkedHashMap<>();
    node.path("properties")
        .properties()
        .forEach(entry -> properties.put(entry.getKey(), of(entry.getValue(), root, depth + 1)));
    return properties;
  }

  private static JsonNode resolve(JsonNode node, JsonNode root) {
    String reference = node.path("$ref").asText();
    return reference.startsWith("#/") ? root.at(reference.substring(1)) : node;
  }

  private static List<JsonNode> choices(JsonNode node) {
    List<JsonNode> choices = new ArrayList<>();
    node.path("enum").forEach(choices::add);
    if (node.has("const")) {
      choices.add(node.path("const"));
    }
    choices.removeIf(JsonNode::isNull);
    return List.copyOf(choices);
  }

  private static boolean hasNull(JsonNode values) {
    for (JsonNode value : values) {
      if (value.isNull()) {
        return true;
      }
    }
    return false;
  }

  private static Type type(String name, JsonNode node, List<JsonNode> choices) {
    return switch (name) {
      case "integer" -> Type.INTEGER;
      case "number" -> Type.NUMBER;
      case "boolean" -> Type.BOOLEAN;
      case "array" -> Type.ARRAY;
      case "object" -> Type.OBJECT;
      case "string" -> Type.STRING;
      default -> guess(node, choices);
    };
  }

  private static Type guess(JsonNode node, List<JsonNode> choices) {
    if (node.has("properties")) {
      return Type.OBJECT;
    }
    if (node.has("items")) {
      return Type.ARRAY;
    }
    return !choices.isEmpty() && choices.getFirst().isNumber() ? Type.NUMBER : Type.STRING;
  }
}
