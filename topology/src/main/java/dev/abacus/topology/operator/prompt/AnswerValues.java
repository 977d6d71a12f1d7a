package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Puts lists together without a model. Text that differs in case and white space only counts as the
 * same; nothing cleverer, so that the result does not depend on luck.
 */
public final class AnswerValues {

  private AnswerValues() {}

  /** The items of all lists in order, of equal ones the first. */
  public static ArrayNode of(List<? extends JsonNode> lists) {
    ArrayNode union = JsonNodeFactory.instance.arrayNode();
    Set<Object> seen = new HashSet<>();
    for (JsonNode list : lists) {
      for (JsonNode item : list) {
        if (seen.add(identity(item))) {
          union.add(item);
        }
      }
    }
    return union;
  }

  /** Two values with the same identity are the same value. */
  public static Object identity(JsonNode value) {
    return value.isTextual()
        ? value.textValue().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT)
        : value;
  }

  /** Whether a value says that there is none. */
  public static boolean isNothing(JsonNode value) {
    return value.isNull()
        || value.isMissingNode()
        || (value.isTextual() && value.textValue().isBlank())
        || (value.isArray() && value.isEmpty());
  }
}
