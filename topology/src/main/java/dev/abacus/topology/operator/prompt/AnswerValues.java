package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Compares and unites values of several answers without a model. Texts are equal if they differ
 * only in case and white space; no other similarity counts, so the result is deterministic.
 */
public final class AnswerValues {

  private AnswerValues() {}

  /** The items of all lists in order, without duplicates. */
  public static ArrayNode union(List<? extends JsonNode> lists) {
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

  /** A key that is equal for equal values. */
  public static Object identity(JsonNode value) {
    return value.isTextual()
        ? value.textValue().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT)
        : value;
  }

  /** Whether a value is null, missing, a blank text or an empty list. */
  public static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || value.isMissingNode()
        || (value.isTextual() && value.textValue().isBlank())
        || (value.isArray() && value.isEmpty());
  }
}
