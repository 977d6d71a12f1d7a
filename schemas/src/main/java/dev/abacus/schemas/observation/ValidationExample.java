package dev.abacus.schemas.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document with what is known of the right outputs.
 *
 * @param id the record key of the validation topic
 * @param source name of the program's source that the document could have come from
 * @param labels by operator id: true or false for a filter, a dictionary of fields for a map;
 *     operators and fields may be missing
 */
public record ValidationExample(
    String id, String source, Document document, Map<String, JsonNode> labels) {

  public ValidationExample {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** What is known of the operator's right output, or null if nothing. */
  public @Nullable JsonNode label(String operator) {
    return labels.get(operator);
  }
}
