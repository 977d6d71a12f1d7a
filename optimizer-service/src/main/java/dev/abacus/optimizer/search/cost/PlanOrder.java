package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.Comparator;
import java.util.function.Function;

/** Orders plans by an objective, best first: feasible plans, the target, the other dimensions. */
public final class PlanOrder {

  private PlanOrder() {}

  /** The order by the given estimate of each plan. */
  public static Comparator<PlanChoice> of(
      Objective objective, Function<PlanChoice, Estimate> estimates) {
    return Comparator.comparing((PlanChoice plan) -> !feasible(objective, estimates.apply(plan)))
        .thenComparing(estimates, byTarget(objective.target()))
        .thenComparing(PlanChoice::signature);
  }

  /** The order of estimates without bounds: the target, then quality, cost and latency. */
  public static Comparator<Estimate> byTarget(Dimension target) {
    double sign = target == Dimension.QUALITY ? -1 : 1;
    return Comparator.comparingDouble((Estimate estimate) -> sign * estimate.get(target))
        .thenComparingDouble(estimate -> -estimate.quality())
        .thenComparingDouble(Estimate::cost)
        .thenComparingDouble(Estimate::latency);
  }

  private static boolean feasible(Objective objective, Estimate estimate) {
    return objective.bounds().stream()
        .allMatch(bound -> bound.holds(estimate.get(bound.dimension())));
  }
}
