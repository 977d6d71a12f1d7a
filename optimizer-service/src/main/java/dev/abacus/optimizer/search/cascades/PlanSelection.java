package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Selects the final plan ({@code selectOptimalPlan} in the paper's algorithm 5). */
record PlanSelection(Objective objective, InfeasiblePolicy policy) {

  /** Orders plans by the target, the other dimensions, and {@link Subplan#ORDER}; best first. */
  static Comparator<Subplan> bestTarget(Objective objective) {
    return Comparator.comparing(PlanSelection::estimate, PlanOrder.byTarget(objective.target()))
        .thenComparing(Subplan.ORDER);
  }

  /** The missed bounds with the amount by which the estimate misses them. */
  static Map<Dimension, Double> violations(Objective objective, Estimate estimate) {
    Map<Dimension, Double> violations = new EnumMap<>(Dimension.class);
    for (Bound bound : objective.bounds()) {
      double violation = bound.violation(estimate.get(bound.dimension()));
      if (violation > 0) {
        violations.put(bound.dimension(), violation);
      }
    }
    return violations;
  }

  /** Whether the estimate of a whole plan meets every bound. */
  static boolean isFeasible(Objective objective, Subplan plan) {
    return violations(objective, estimate(plan)).isEmpty();
  }

  /** The best feasible plan, or the plan of the policy if none is feasible. */
  Subplan choose(List<Subplan> plans) {
    Comparator<Subplan> byBounds =
        switch (policy) {
          case BEST_TARGET -> Comparator.comparing(plan -> violation(estimate(plan)) > 0);
          case LEAST_VIOLATION -> Comparator.comparingDouble(plan -> violation(estimate(plan)));
        };
    return Collections.min(plans, byBounds.thenComparing(bestTarget(objective)));
  }

  /** The estimate of a whole plan. */
  static Estimate estimate(Subplan plan) {
    return CostModel.rounded(plan.metrics());
  }

  /**
   * The sum of all violations, each relative to its limit, so that USD and seconds can be added.
   */
  private double violation(Estimate estimate) {
    double sum = 0;
    for (Bound bound : objective.bounds()) {
      double violation = bound.violation(estimate.get(bound.dimension()));
      sum += bound.limit() == 0 ? violation : violation / bound.limit();
    }
    return sum;
  }
}
