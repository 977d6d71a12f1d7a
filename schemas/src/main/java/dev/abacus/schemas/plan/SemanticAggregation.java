package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * A model reads a whole group. It reads a group that exceeds its context in parts and merges their
 * answers.
 */
@JsonTypeName("semantic-aggregation")
public record SemanticAggregation(String model) implements PhysicalOperator.SingleModel {
  @Override
  public String id() {
    return "semantic-aggregation(" + model + ")";
  }
}
