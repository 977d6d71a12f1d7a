package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a search.
 *
 * @param chosen the best plan by the objective; if no plan is feasible, the plan of the {@link
 *     InfeasiblePolicy}
 * @param feasible whether the estimate of the chosen plan meets every bound
 * @param frontier the Pareto-optimal plans over the dimensions of objective and options, including
 *     the chosen plan, the best by the target first. Plans that break a bound are included only if
 *     no plan is feasible
 */
public record SearchResult(PlanChoice chosen, boolean feasible, List<PlanChoice> frontier) {

  /** The result with another chosen plan; in the frontier it replaces the plan with its steps. */
  public SearchResult with(PlanChoice winner, Objective objective) {
    List<PlanChoice> plans = new ArrayList<>();
    plans.add(winner);
    frontier.stream()
        .filter(plan -> !plan.signature().equals(winner.signature()))
        .forEach(plans::add);
    plans.sort(PlanOrder.of(objective, PlanChoice::estimate));
    return new SearchResult(
        winner, PlanSelection.violations(objective, winner.estimate()).isEmpty(), plans);
  }
}
