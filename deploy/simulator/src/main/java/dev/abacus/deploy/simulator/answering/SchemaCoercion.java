package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import java.util.List;
import java.util.Locale;

/** Converts values to the types of a schema. */
final class SchemaCoercion {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private SchemaCoercion() {}

  /** The value converted to the type of the shape where possible. */
  static JsonNode fit(JsonNode value, FieldShape shape) {
    if (value.isNull()) {
      return nothing(shape);
    }
    return switch (shape.type()) {
      case STRING -> text(value, shape);
      case INTEGER ->
          value.isIntegralNumber() ? value : JSON.numberNode((long) bounded(number(value), shape));
      case NUMBER -> value.isNumber() ? value : JSON.numberNode(bounded(number(value), shape));
      case BOOLEAN -> value.isBoolean() ? value : JSON.booleanNode(yes(value));
      case ARRAY -> array(value, shape);
      case OBJECT -> object(value, shape);
    };
  }

  /** Text; if the schema lists choices, the equal or the nearest choice. */
  private static JsonNode text(JsonNode value, FieldShape shape) {
    String text = value.isArray() ? joined(value) : shown(value);
    if (shape.choices().isEmpty()) {
      return value.isTextual() ? value : JSON.textNode(text);
    }
    String wanted = text.toLowerCase(Locale.ROOT);
    List<JsonNode> near =
        shape.choices().stream().filter(choice -> choice.asText().contains(wanted)).toList();
    return shape.choices().stream()
        .filter(choice -> choice.asText().equals(text))
        .findFirst()
        .orElse(near.isEmpty() ? shape.choices().getFirst() : near.getFirst());
  }

  /** The value that stands for "not found": null, or an empty value of the type. */
  static JsonNode nothing(FieldShape shape) {
    if (shape.nullable()) {
      return JSON.nullNode();
    }
    return switch (shape.type()) {
      case STRING -> shape.choices().isEmpty() ? JSON.textNode("") : shape.choices().getLast();
      case INTEGER -> JSON.numberNode((long) bounded(0, shape));
      case NUMBER -> JSON.numberNode(bounded(0, shape));
      case BOOLEAN -> JSON.booleanNode(false);
      case ARRAY -> JSON.arrayNode();
      case OBJECT -> object(JSON.objectNode(), shape);
    };
  }

  /** The nearest number within the bounds. */
  static double bounded(double number, FieldShape shape) {
    return Math.max(shape.minimum(), Math.min(shape.maximum(), number));
  }

  private static JsonNode array(JsonNode value, FieldShape shape) {
    ArrayNode array = JSON.arrayNode();
    FieldShape items = shape.items();
    for (JsonNode item : value.isArray() ? value : JSON.arrayNode().add(value)) {
      array.add(items == null ? item : fit(item, items));
    }
    return array;
  }

  private static JsonNode object(JsonNode value, FieldShape shape) {
    return shape.properties().isEmpty() && value.isObject()
        ? value
        : shape.object(
            (name, part) -> value.has(name) ? fit(value.path(name), part) : nothing(part));
  }

  private static String joined(JsonNode list) {
    StringBuilder text = new StringBuilder();
    for (JsonNode item : list) {
      text.append(text.isEmpty() ? "" : "; ").append(shown(item));
    }
    return text.toString();
  }

  private static String shown(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  private static double number(JsonNode value) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    try {
      return Double.parseDouble(value.asText().strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static boolean yes(JsonNode value) {
    String text = value.asText().strip().toLowerCase(Locale.ROOT);
    return text.startsWith("true") || text.startsWith("yes");
  }
}
