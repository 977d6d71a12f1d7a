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
 * The plans of a frontier as a way out.
 *
 * @param maxCost USD per document by the estimate; null for any
 * @param maxLatency seconds per document by the estimate; null for any
 * @param avoid names of models that must not be called
 */
record Alternatives(@Nullable Double maxCost, @Nullable Double maxLatency, Set<String> avoid) {

  /**
   * The plan itself if it suits; else the best by its objective that does. Where none suits, what
   * comes nearest: models to avoid count most, then cost, then latency. The plan itself if even
   * models cannot be avoided.
   */
  PlanChoice best(PhysicalPlan home) {
    List<PlanChoice> usable =
        Stream.concat(Stream.of(home.choice()), home.frontier().stream())
            .distinct()
            .filter(this::avoids)
            .toList();
    List<PlanChoice> affordable = usable.stream().filter(this::isAffordable).toList();
    List<PlanChoice> fast = affordable.stream().filter(this::isFast).toList();
    if (usable.isEmpty() || fast.contains(home.choice())) {
      return home.choice();
    }
    if (!fast.isEmpty()) {
      return min(fast, PlanOrder.of(home.objective(), PlanChoice::estimate));
    }
    return affordable.isEmpty()
        ? min(usable, Comparator.comparingDouble(plan -> plan.estimate().cost()))
        : min(affordable, Comparator.comparingDouble(plan -> plan.estimate().latency()));
  }

  private static PlanChoice min(List<PlanChoice> plans, Comparator<PlanChoice> order) {
    return plans.stream().min(order.thenComparing(PlanChoice::signature)).orElseThrow();
  }

  private boolean avoids(PlanChoice plan) {
    return plan.steps().stream()
        .flatMap(step -> step.physical().chatModels().stream())
        .noneMatch(avoid::contains);
  }

  private boolean isAffordable(PlanChoice plan) {
    return maxCost == null || plan.estimate().cost() <= maxCost;
  }

  private boolean isFast(PlanChoice plan) {
    return maxLatency == null || plan.estimate().latency() <= maxLatency;
  }
}
