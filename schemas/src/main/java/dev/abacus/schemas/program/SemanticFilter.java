package dev.abacus.schemas.program;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Keeps the documents for which a condition in natural language holds (paper, Table 1: σ).
 *
 * @param conditions at least one statement about a document, which is kept if all are true
 */
public record SemanticFilter(String id, String input, List<String> conditions, List<String> reads)
    implements LogicalOperator {

  public SemanticFilter {
    conditions = List.copyOf(conditions);
    reads = List.copyOf(reads);
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("filter '" + id + "' has no condition");
    }
  }

  /** A filter with one condition. */
  public SemanticFilter(String id, String input, String condition, List<String> reads) {
    this(id, input, List.of(condition), reads);
  }

  /** The condition as the prompt states it. */
  public String condition() {
    return conditions.size() == 1
        ? conditions.getFirst()
        : conditions.stream().collect(Collectors.joining("\n- ", "All of these hold:\n- ", ""));
  }

  @Override
  public List<String> writtenFields() {
    return List.of();
  }

  @Override
  public boolean isSemantic() {
    return true;
  }

  @Override
  public SemanticFilter withInputs(List<String> inputs) {
    return new SemanticFilter(id, inputs.getFirst(), conditions, reads);
  }

  @Override
  public String kind() {
    return "filter";
  }
}
