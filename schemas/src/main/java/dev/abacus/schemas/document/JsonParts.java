package dev.abacus.schemas.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Copies of lists and objects whose parts are changed. */
public final class JsonParts {

  private JsonParts() {}

  /** A change of a part. */
  @FunctionalInterface
  public interface Change<X extends Exception> {
    JsonNode of(JsonNode part) throws X;
  }

  /**
   * A list with each item or an object with each value changed; any other node as it is.
   *
   * @throws X if a change throws it
   */
  public static <X extends Exception> JsonNode changed(JsonNode whole, Change<X> change) throws X {
    if (whole instanceof ArrayNode list) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode(list.size());
      for (JsonNode item : list) {
        copy.add(change.of(item));
      }
      return copy;
    }
    if (whole instanceof ObjectNode object) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        copy.set(member.getKey(), change.of(member.getValue()));
      }
      return copy;
    }
    return whole;
  }
}
