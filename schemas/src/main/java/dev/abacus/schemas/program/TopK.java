package dev.abacus.schemas.program;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the k items of a reference that are most similar to the document, best first (paper, Table
 * 1: ρ).
 *
 * @param from name of the reference
 * @param query fields whose values are searched for; the results of several are merged. At least
 *     one; a list counts as several texts
 * @param k how many items; null leaves it to the optimizer
 * @param writes the field that takes the list of items
 */
public record TopK(
    String id, String input, String from, List<String> query, @Nullable Integer k, String writes)
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
  public List<String> reads() {
    return query;
  }

  @Override
  public List<String> writtenFields() {
    return List.of(writes);
  }

  /** There is an embedder, and perhaps k, to choose. */
  @Override
  public boolean isSemantic() {
    return true;
  }

  @Override
  public String kind() {
    return "topk";
  }
}
