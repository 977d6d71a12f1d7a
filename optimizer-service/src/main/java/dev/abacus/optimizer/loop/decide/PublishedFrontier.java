package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What of a frontier travels with a plan. All of it while it is small; of a large one the best by
 * the objective, the cheapest and the fastest, which is what users look at and the governor needs.
 */
final class PublishedFrontier {

  private static final int OF_EACH = 20;

  private PublishedFrontier() {}

  static List<PlanChoice> of(List<PlanChoice> frontier, PlanChoice chosen, Objective objective) {
    if (frontier.size() <= 3 * OF_EACH) {
      return frontier;
    }
    Comparator<PlanChoice> best = PlanOrder.of(objective, PlanChoice::estimate);
    Set<PlanChoice> kept = new LinkedHashSet<>();
    kept.add(chosen);
    for (Comparator<PlanChoice> order :
        List.of(
            best,
            Comparator.comparingDouble((PlanChoice plan) -> plan.estimate().cost())
                .thenComparing(best),
            Comparator.comparingDouble((PlanChoice plan) -> plan.estimate().latency())
                .thenComparing(best))) {
      frontier.stream().sorted(order).limit(OF_EACH).forEach(kept::add);
    }
    return frontier.stream().filter(kept::contains).toList();
  }
}
