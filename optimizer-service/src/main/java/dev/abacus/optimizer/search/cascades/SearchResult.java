package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a search found.
 *
 * @param chosen the best by the objective; if nothing is feasible, what the policy says
 * @param feasible whether the chosen plan's estimate meets every bound
 * @param frontier the Pareto-optimal plans over the dimensions of the objective and those asked
 *     for, the chosen one among them, the best by the target first. Plans that break a bound are
 *     among them only if asked for, or if every plan does
 * @param violations by how much the chosen plan misses each bound that it misses, in the unit of
 *     the dimension
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
