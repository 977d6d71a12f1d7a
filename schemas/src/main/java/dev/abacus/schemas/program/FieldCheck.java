package dev.abacus.schemas.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks values against the fields that an operator writes: answers of models, labels, corrected
 * results. Collects problems as messages that a model or a user can act on. No value is converted,
 * guessed or filled in; the one exception is an integer written as {@code 5.0}. An instance checks
 * one object.
 */
public final class FieldCheck {

  private static final int MAX_QUOTE = 80;

  private final boolean partial;
  private final List<String> problems = new ArrayList<>();

  private FieldCheck(boolean partial) {
    this.partial = partial;
  }

  /** For answers: an object must have every field. */
  public FieldCheck() {
    this(false);
  }

  /** For labels: objects may lack fields, which are then not scored. */
  public static FieldCheck ofLabel() {
    return new FieldCheck(true);
  }

  /** The problems found so far. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** The answer's fields in the order of the format; valid only if there are no problems. */
  public ObjectNode object(List<Field> fields, JsonNode answer) {
    return object("", fields, answer);
  }

  /** Checks the value of one field: null if the field may be null, else a value of its type. */
  public JsonNode field(Field field, JsonNode value) {
    return field("", field, value);
  }

  private JsonNode field(String path, Field field, JsonNode value) {
    String name = path + field.name();
    if (value.isNull()) {
      check(field.nullable(), name, "must not be null", value);
      return value;
    }
    return value(name, field.type(), value);
  }

  private ObjectNode object(String path, List<Field> fields, JsonNode answer) {
    ObjectNode checked = JsonNodeFactory.instance.objectNode();
    for (Field field : fields) {
      JsonNode value = answer.get(field.name());
      if (value == null) {
        if (!partial) {
          problems.add(path + field.name() + ": missing");
        }
      } else {
        checked.set(field.name(), field(path, field, value));
      }
    }
    for (Map.Entry<String, JsonNode> entry : answer.properties()) {
      if (fields.stream().noneMatch(field -> field.name().equals(entry.getKey()))) {
        problems.add(path + entry.getKey() + ": not asked for");
      }
    }
    return checked;
  }

  private JsonNode value(String path, FieldType type, JsonNode value) {
    switch (type) {
      case FieldType.StringType(List<String> values) -> {
        if (check(value.isTextual(), path, "must be a string", value) && !values.isEmpty()) {
          String choices = "must be one of " + String.join(", ", values);
          check(values.contains(value.textValue()), path, choices, value);
        }
        return value;
      }
      case FieldType.IntegerType integer -> {
        return integer(path, integer, value);
      }
      case FieldType.NumberType(Double minimum, Double maximum) -> {
        boolean number = value.isNumber() && Double.isFinite(value.doubleValue());
        if (check(number, path, "must be a number", value)) {
          checkLimits(path, value, minimum, maximum);
        }
        return value;
      }
      case FieldType.BooleanType _ -> {
        check(value.isBoolean(), path, "must be true or false", value);
        return value;
      }
      case FieldType.ListType(FieldType items) -> {
        return list(path, items, value);
      }
      case FieldType.ObjectType(List<Field> fields) -> {
        return check(value.isObject(), path, "must be an object", value)
            ? object(path + ".", fields, value)
            : value;
      }
    }
  }

  private JsonNode integer(String path, FieldType.IntegerType type, JsonNode value) {
    boolean isInteger = value.isNumber() && isLong(value);
    if (!check(isInteger, path, "must be a whole number", value)) {
      return value;
    }
    checkLimits(path, value, type.minimum(), type.maximum());
    return value.isIntegralNumber() ? value : integerNode(value.decimalValue().longValue());
  }

  /** The node that a parser creates, so that a document equals its own copy after a round trip. */
  public static JsonNode integerNode(long value) {
    return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
  }

  private static boolean isLong(JsonNode value) {
    if (value.isIntegralNumber()) {
      return value.canConvertToLong();
    }
    // The magnitude first: the digits of 1e999999999 do not fit into memory.
    double magnitude = Math.abs(value.doubleValue());
    return magnitude < 1e18 && value.decimalValue().remainder(BigDecimal.ONE).signum() == 0;
  }

  private JsonNode list(String path, FieldType items, JsonNode value) {
    if (!check(value.isArray(), path, "must be a list", value)) {
      return value;
    }
    ArrayNode checked = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < value.size(); i++) {
      checked.add(value(path + "[" + i + "]", items, value.get(i)));
    }
    return checked;
  }

  private void checkLimits(
      String path, JsonNode value, @Nullable Number minimum, @Nullable Number maximum) {
    BigDecimal number = value.decimalValue();
    if (minimum != null) {
      boolean holds = number.compareTo(new BigDecimal(minimum.toString())) >= 0;
      check(holds, path, "must be at least " + minimum, value);
    }
    if (maximum != null) {
      boolean holds = number.compareTo(new BigDecimal(maximum.toString())) <= 0;
      check(holds, path, "must be at most " + maximum, value);
    }
  }

  private boolean check(boolean holds, String path, String demand, JsonNode value) {
    if (!holds) {
      String quote = value.toString();
      problems.add(
          "%s: %s, but is %s"
              .formatted(
                  path,
                  demand,
                  quote.length() <= MAX_QUOTE ? quote : quote.substring(0, MAX_QUOTE) + "…"));
    }
    return holds;
  }
}
