package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Selects the final plan ({@code selectOptimalPlan} in the paper's algorithm 5). */
record PlanSelection(Objective objective, InfeasiblePolicy policy) {

  /** Orders plans by the target, the other dimensions, and {@link Subplan#ORDER}; best first. */
  static Comparator<Subplan> bestTarget(Objective objective) {
    Dimension target = objective.target();
    return (one, other) -> compare(target, one, other);
  }

  private static int compare(Dimension target, Subplan one, Subplan other) {
    Estimate a = estimate(one);
    Estimate b = estimate(other);
    int order = Double.compare(a.get(target), b.get(target));
    order = target == Dimension.QUALITY ? -order : order;
    order = order != 0 ? order : Double.compare(b.quality(), a.quality());
    order = order != 0 ? order : Double.compare(a.cost(), b.cost());
    order = order != 0 ? order : Double.compare(a.latency(), b.latency());
    return order != 0 ? order : Subplan.ORDER.compare(one, other);
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

  /** The best feasible plan, or the plan of the policy if none is feasible. */
  Subplan choose(List<Subplan> plans) {
    List<Subplan> feasible = new ArrayList<>();
    for (Subplan plan : plans) {
      if (violation(estimate(plan)) == 0) {
        feasible.add(plan);
      }
    }
    return Collections.min(feasible.isEmpty() ? plans : feasible, comparator(feasible.isEmpty()));
  }

  /** The estimate of a whole plan. */
  static Estimate estimate(Subplan plan) {
    return CostModel.rounded(plan.metrics());
  }

  private Comparator<Subplan> comparator(boolean infeasible) {
    Comparator<Subplan> bestTarget = bestTarget(objective);
    if (!infeasible) {
      return bestTarget;
    }
    return switch (policy) {
      case BEST_TARGET -> bestTarget;
      case LEAST_VIOLATION ->
          Comparator.comparingDouble((Subplan plan) -> violation(estimate(plan)))
              .thenComparing(bestTarget);
    };
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
