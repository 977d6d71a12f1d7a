package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a search.
 *
 * @param chosen the best plan by the objective; if no plan is feasible, the plan of the {@link
 *     InfeasiblePolicy}
 * @param feasible whether the estimate of the chosen plan meets every bound
 * @param frontier the Pareto-optimal plans over the dimensions of objective and options, including
 *     the chosen plan, the best by the target first. Plans that break a bound are included only by
 *     option or if no plan is feasible
 * @param violations the amount by which the chosen plan misses a bound, in the unit of the
 *     dimension; contains missed bounds only
 */
public record SearchResult(
    PlanChoice chosen,
    boolean feasible,
    List<PlanChoice> frontier,
    SearchStatistics statistics,
    Map<Dimension, Double> violations) {

  public SearchResult {
    frontier = List.copyOf(frontier);
    violations = Collections.unmodifiableMap(new TreeMap<>(violations));
  }

  /** The result with another chosen plan; in the frontier it replaces the plan with its steps. */
  public SearchResult with(PlanChoice winner, Objective objective) {
    List<PlanChoice> plans = new ArrayList<>();
    plans.add(winner);
    frontier.stream()
        .filter(plan -> !plan.signature().equals(winner.signature()))
        .forEach(plans::add);
    plans.sort(PlanOrder.of(objective, PlanChoice::estimate));
    Map<Dimension, Double> missed = PlanSelection.violations(objective, winner.estimate());
    return new SearchResult(winner, missed.isEmpty(), plans, statistics, missed);
  }
}
