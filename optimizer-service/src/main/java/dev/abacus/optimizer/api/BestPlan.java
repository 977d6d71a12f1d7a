package dev.abacus.optimizer.api;

import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.Program;
import java.util.List;

/**
 * The plan that a search over estimates chooses.
 *
 * @param steps in execution order
 * @param estimate of the whole plan; cost in USD and latency in seconds per source document
 */
public record BestPlan(List<Step> steps, Estimate estimate) {

  /** An operator with the id of its implementation. */
  public record Step(String logical, String physical) {}

  public BestPlan {
    steps = List.copyOf(steps);
  }

  /**
   * Searches all legal orders of operators and all implementations with an estimate.
   *
   * @throws IllegalArgumentException if an operator has no implementation with an estimate
   */
  public static BestPlan find(Program program, ProgramEstimates estimates, Objective objective) {
    NamedPlan found =
        NamedPlanSearch.search(program, estimates.candidates(), objective, SearchOptions.DEFAULT)
            .chosen();
    return new BestPlan(
        found.steps().stream().map(step -> new Step(step.logical().id(), step.physical())).toList(),
        found.estimate());
  }
}
