package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PlanChoice;
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
}
