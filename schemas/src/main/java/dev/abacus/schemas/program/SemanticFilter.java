package dev.abacus.schemas.program;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Keeps the documents for which a condition in natural language holds (paper, Table 1: σ).
 *
 * @param conditions statements that are true or false of a document; it is kept if all are true. At
 *     least one; several make a conjunctive filter, which a plan may take apart
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

  /** The whole condition, in the words the model is told. */
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
  public String kind() {
    return "filter";
  }
}
