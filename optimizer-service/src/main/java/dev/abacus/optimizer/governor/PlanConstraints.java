package dev.abacus.optimizer.governor;

import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Constraints on the active plan that come from the present load and health of the system.
 *
 * @param maxCost USD per document by the estimate; null for any
 * @param maxLatency seconds per document by the estimate; null for any
 * @param avoid names of models that must not be called
 */
record PlanConstraints(@Nullable Double maxCost, @Nullable Double maxLatency, Set<String> avoid) {

  /**
   * Chooses among a plan and its frontier. Keeps the plan itself if it meets the constraints, or if
   * no plan avoids the models; else returns the best plan by its objective that meets them. If none
   * does, models to avoid take precedence over cost, and cost over latency.
   */
  PlanChoice best(PhysicalPlan plan) {
    List<PlanChoice> usable =
        Stream.concat(Stream.of(plan.choice()), plan.frontier().stream())
            .distinct()
            .filter(choice -> !choice.callsAny(avoid))
            .toList();
    List<PlanChoice> affordable = usable.stream().filter(this::isAffordable).toList();
    List<PlanChoice> fast = affordable.stream().filter(this::isFast).toList();
    if (usable.isEmpty() || fast.contains(plan.choice())) {
      return plan.choice();
    }
    if (!fast.isEmpty()) {
      return min(fast, PlanOrder.of(plan.objective(), PlanChoice::estimate));
    }
    return affordable.isEmpty()
        ? min(usable, Comparator.comparingDouble(choice -> choice.estimate().cost()))
        : min(affordable, Comparator.comparingDouble(choice -> choice.estimate().latency()));
  }

  private static PlanChoice min(List<PlanChoice> plans, Comparator<PlanChoice> order) {
    return plans.stream().min(order.thenComparing(PlanChoice::signature)).orElseThrow();
  }

  private boolean isAffordable(PlanChoice plan) {
    return maxCost == null || plan.estimate().cost() <= maxCost;
  }

  private boolean isFast(PlanChoice plan) {
    return maxLatency == null || plan.estimate().latency() <= maxLatency;
  }
}
