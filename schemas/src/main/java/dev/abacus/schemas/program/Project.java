package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * Keeps only the named fields, in that order (paper, Table 1: π).
 *
 * @param fields at least one; a field that a document lacks remains absent
 */
@JsonPropertyOrder("project")
public record Project(String id, String input, @JsonProperty("project") List<String> fields)
    implements LogicalOperator {

  public Project {
    fields = List.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("project '" + id + "' keeps no field");
    }
  }

  @Override
  public List<String> reads() {
    return fields;
  }

  @Override
  public boolean isSemantic() {
    return false;
  }

  /** Whether it keeps all fields of an operator, so that the two may be exchanged. */
  public boolean keepsFieldsOf(LogicalOperator operator) {
    return operator.isPerDocument()
        && !operator.reads().isEmpty()
        && fields.containsAll(operator.reads())
        && fields.containsAll(operator.writtenFields());
  }

  @Override
  public Project withInputs(List<String> inputs) {
    return new Project(id, inputs.getFirst(), fields);
  }
}
