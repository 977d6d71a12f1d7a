package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a mixture of a plan with another one. Where the bounds lie between two plans, the best
 * means are on the convex hull of the frontier.
 *
 * @param required probability from which a bound holds
 */
record MixtureSearch(PlanCandidates candidates, double required) {

  /** Shares are multiples of 5 %, so that a small change of an estimate is no other plan. */
  private static final int SHARES = 20;

  private static final int MOST_EXAMINED = 5;

  /** Relative gain in the target from which two plans are worth their trouble. */
  private static final double WORTHWHILE = 0.01;

  /** A plan and its share, by the means. */
  private record Mixed(PlanChoice other, double share, Estimate estimate) {}

  /**
   * The best mixture with a plan of the frontier, if all its bounds hold, and it is shown to be
   * better than the plan by itself; else the plan.
   */
  PlanChoice best(PlanChoice plan) {
    Objective objective = candidates.objective();
    if (plan.steps().stream().anyMatch(step -> !step.logical().isPerDocument())) {
      return plan;
    }
    Comparator<Estimate> order =
        Comparator.comparingDouble(estimate -> lower(objective.target(), estimate));
    UncertainPlan own = candidates.uncertain(plan);
    return candidates.beyondBounds().stream()
        .filter(other -> !other.steps().equals(plan.steps()) && hasOperatorsOf(other, plan))
        .map(other -> mixed(plan, other, objective, order))
        .filter(Objects::nonNull)
        .sorted(Comparator.comparing(Mixed::estimate, order))
        .limit(MOST_EXAMINED)
        .flatMap(mixed -> holding(own, mixed).stream())
        .filter(mixture -> isBetter(own, mixture))
        .map(UncertainPlan::plan)
        .min(Comparator.comparing(PlanChoice::estimate, order))
        .orElse(plan);
  }

  private static double lower(Dimension target, Estimate estimate) {
    return target == Dimension.QUALITY ? -estimate.quality() : estimate.get(target);
  }

  private static boolean hasOperatorsOf(PlanChoice one, PlanChoice other) {
    return one.steps().stream()
        .map(PlanStep::logical)
        .toList()
        .equals(other.steps().stream().map(PlanStep::logical).toList());
  }

  /** The best share of another plan by the means; null if no share keeps the bounds. */
  private static @Nullable Mixed mixed(
      PlanChoice plan, PlanChoice other, Objective objective, Comparator<Estimate> order) {
    return shares()
        .mapToObj(i -> (double) i / SHARES)
        .map(share -> new Mixed(other, share, plan.estimate().mixedWith(other.estimate(), share)))
        .filter(mixed ->
            objective.bounds().stream()
                .allMatch(bound -> bound.holds(mixed.estimate().get(bound.dimension()))))
        .min(Comparator.comparing(Mixed::estimate, order))
        .orElse(null);
  }

  private static IntStream shares() {
    return IntStream.range(1, SHARES);
  }

  /** With every share with which the bounds hold. */
  private List<UncertainPlan> holding(UncertainPlan own, Mixed mixed) {
    UncertainPlan other = candidates.uncertain(mixed.other());
    return shares()
        .mapToObj(i -> own.mixedWith(other, (double) i / SHARES))
        .filter(mixture -> mixture.probability(candidates.objective()) >= required)
        .toList();
  }

  private boolean isBetter(UncertainPlan plan, UncertainPlan mixture) {
    Objective objective = candidates.objective();
    Dimension target = objective.target();
    boolean holds = plan.probability(objective) >= required;
    double gain = Math.abs(mixture.mean(target) - plan.mean(target));
    return (!holds || gain >= WORTHWHILE * plan.mean(target))
        && plan.isShownWorse(mixture, objective, required);
  }
}
