package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders the items of a list by a criterion in natural language, best first, and keeps the best k.
 * An example is reranking of the items that a {@link TopK} found.
 *
 * @param items the field with the list
 * @param criterion what makes an item better than another, in natural language
 * @param shown fields that the model sees besides the items; empty means all fields
 * @param k number of items to keep; null keeps all
 * @param key the field by which labels name an item that is an object
 * @param writes the field for the ordered list; may be {@code items}
 */
public record SemanticRank(
    @JsonProperty("rank") String id,
    String input,
    String items,
    String criterion,
    @JsonProperty("reads") List<String> shown,
    @Nullable Integer k,
    String key,
    String writes)
    implements LogicalOperator {

  public SemanticRank {
    shown = List.copyOf(shown);
    if (k != null && k < 1) {
      throw new IllegalArgumentException("k of rank '" + id + "' must be at least 1");
    }
  }

  /** The number of items that it keeps of a list. */
  public int kept(int size) {
    return k == null ? size : Math.min(k, size);
  }

  /** The name of an item in labels: the key of an object, the text of any other value. */
  public String nameOf(JsonNode item) {
    return item.isObject() ? item.path(key).asText() : item.asText();
  }

  /** The same operator with another key. */
  public SemanticRank withKey(String other) {
    return new SemanticRank(id, input, items, criterion, shown, k, other, writes);
  }

  /** The fields that the model sees, and the items. */
  @Override
  public List<String> reads() {
    if (shown.isEmpty() || shown.contains(items)) {
      return shown;
    }
    List<String> all = new ArrayList<>(shown);
    all.add(items);
    return all;
  }

  @Override
  public List<String> writtenFields() {
    return List.of(writes);
  }

  @Override
  public SemanticRank withInputs(List<String> inputs) {
    return new SemanticRank(id, inputs.getFirst(), items, criterion, shown, k, key, writes);
  }
}
