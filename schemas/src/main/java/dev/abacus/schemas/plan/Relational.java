package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;

/** The only implementation of an operator that needs no model: exact, cost 0, latency 0. */
@JsonTypeName("relational")
public record Relational() implements PhysicalOperator {
  @Override
  public String id() {
    return "relational";
  }
}
