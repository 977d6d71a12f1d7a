package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;

/** One call for each condition of a conjunctive filter, in order, until one does not hold. */
@JsonTypeName("condition-by-condition")
public record ConditionByCondition(String model) implements PhysicalOperator.SingleModel {
  @Override
  public String id() {
    return "condition-by-condition(" + model + ")";
  }
}
