package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.HashMap;
import java.util.Map;

/** Estimates by logical operator id, then implementation. */
public record Estimates(Map<String, Map<PhysicalOperator, OperatorEstimate>> byOperator) {

  public static Builder builder() {
    return new Builder();
  }

  /** Collects estimates; a later one replaces an earlier one for the same implementation. */
  public static final class Builder {

    private final Map<String, Map<PhysicalOperator, OperatorEstimate>> byOperator = new HashMap<>();

    public Builder put(String operator, PhysicalOperator physical, OperatorEstimate estimate) {
      byOperator.computeIfAbsent(operator, _ -> new HashMap<>()).put(physical, estimate);
      return this;
    }

    public Estimates build() {
      return new Estimates(byOperator);
    }
  }
}
