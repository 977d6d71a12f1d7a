package dev.abacus.schemas.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document with labels.
 *
 * @param id the record key of the validation topic
 * @param source name of the source whose documents the example represents
 * @param labels by operator id: true or false for a filter, an object of fields for a map;
 *     operators and fields may be missing
 */
public record ValidationExample(
    String id, String source, Document document, Map<String, JsonNode> labels) {

  public ValidationExample {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** The label of an operator, or null. */
  public @Nullable JsonNode label(String operator) {
    return labels.get(operator);
  }
}
