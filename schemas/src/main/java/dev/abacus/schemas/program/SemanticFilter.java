package dev.abacus.schemas.program;

import java.util.List;

/**
 * Keeps the documents for which a condition in natural language holds (paper, Table 1: σ).
 *
 * @param condition a statement that is true or false of a document
 */
public record SemanticFilter(String id, String input, String condition, List<String> reads)
    implements LogicalOperator {

  public SemanticFilter {
    reads = List.copyOf(reads);
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
