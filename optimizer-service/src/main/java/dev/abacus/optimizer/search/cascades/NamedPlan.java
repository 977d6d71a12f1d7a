package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * A plan with implementations given by id.
 *
 * @param steps in execution order
 */
public record NamedPlan(List<Step> steps, Estimate estimate) {

  /** An operator with the id of its chosen implementation. */
  public record Step(LogicalOperator logical, String physical) {}
}
