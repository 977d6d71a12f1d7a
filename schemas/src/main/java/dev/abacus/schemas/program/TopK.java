package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the k items of a reference that are most similar to the document, best first (paper, Table
 * 1: ρ).
 *
 * @param from name of the reference
 * @param query at least one field whose value is the query; the results of several fields, or of
 *     the items of a list, are merged
 * @param k number of items; null means that the optimizer chooses
 * @param writes the field for the list of items
 */
public record TopK(
    @JsonProperty("topk") String id,
    String input,
    String from,
    List<String> query,
    @Nullable Integer k,
    String writes)
    implements LogicalOperator {

  public TopK {
    query = List.copyOf(query);
    if (query.isEmpty()) {
      throw new IllegalArgumentException("topk '" + id + "' has no query field");
    }
    if (k != null && k < 1) {
      throw new IllegalArgumentException("k of topk '" + id + "' must be at least 1");
    }
  }

  @Override
  public boolean writesItems() {
    return true;
  }

  @Override
  public List<String> reads() {
    return query;
  }

  @Override
  public List<String> writtenFields() {
    return List.of(writes);
  }

  @Override
  public TopK withInputs(List<String> inputs) {
    return new TopK(id, inputs.getFirst(), from, query, k, writes);
  }
}
