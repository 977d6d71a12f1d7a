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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a mixture of two plans. Where the bounds lie between two plans, the best means are on
 * the convex hull of the frontier; the best plan that keeps the bounds by itself may lie below it.
 *
 * @param required probability from which a bound holds
 */
record MixtureSearch(PlanCandidates candidates, double required) {

  /** Shares are multiples of 5 %, so that a small change of an estimate is no other plan. */
  private static final int SHARES = 20;

  private static final int MOST_EXAMINED = 10;

  /** Relative gain in the target from which two plans are worth their trouble. */
  private static final double WORTHWHILE = 0.01;

  /** Two plans at the best share of the second, by the means. */
  private record Mixed(PlanChoice plan, PlanChoice other, Estimate estimate) {}

  /**
   * The best mixture whose bounds hold and that is better than a plan by itself.
   *
   * @param plan the best one by itself
   * @return null if there is none
   */
  @Nullable PlanChoice betterThan(PlanChoice plan) {
    Objective objective = candidates.objective();
    Comparator<Estimate> order =
        Comparator.comparingDouble(estimate -> lower(objective.target(), estimate));
    UncertainPlan own = candidates.uncertain(plan);
    List<PlanChoice> plans =
        Stream.concat(
                Stream.of(plan),
                candidates.beyondBounds().stream()
                    .filter(other ->
                        !other.steps().equals(plan.steps()) && hasOperatorsOf(other, plan)))
            .toList();
    return IntStream.range(0, plans.size())
        .boxed()
        .flatMap(i ->
            plans.subList(i + 1, plans.size()).stream()
                .map(other -> mixed(plans.get(i), other, objective, order)))
        .filter(Objects::nonNull)
        .sorted(Comparator.comparing(Mixed::estimate, order))
        .limit(MOST_EXAMINED)
        .flatMap(this::holding)
        .filter(mixture -> isBetter(own, mixture))
        .map(UncertainPlan::plan)
        .min(Comparator.comparing(PlanChoice::estimate, order))
        .orElse(null);
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
        .mapToObj(i -> plan.estimate().mixedWith(other.estimate(), (double) i / SHARES))
        .map(estimate -> new Mixed(plan, other, estimate))
        .filter(mixed ->
            objective.bounds().stream()
                .allMatch(bound -> bound.holds(mixed.estimate().get(bound.dimension()))))
        .min(Comparator.comparing(Mixed::estimate, order))
        .orElse(null);
  }

  private static IntStream shares() {
    return IntStream.range(1, SHARES);
  }

  /**
   * With every share with which the bounds hold. A mixture leaves nothing of a bound unused, so the
   * best of many is one that is believed too good; they hold together with the required probability
   * (Bonferroni).
   */
  private Stream<UncertainPlan> holding(Mixed mixed) {
    double each = 1 - (1 - required) / MOST_EXAMINED;
    UncertainPlan plan = candidates.uncertain(mixed.plan());
    UncertainPlan other = candidates.uncertain(mixed.other());
    return shares()
        .mapToObj(i -> plan.mixedWith(other, (double) i / SHARES))
        .filter(mixture -> mixture.probability(candidates.objective()) >= each);
  }

  /** By the means, as all plans are compared; sure is only that the bounds hold. */
  private boolean isBetter(UncertainPlan plan, UncertainPlan mixture) {
    Objective objective = candidates.objective();
    double own = lower(objective.target(), plan.plan().estimate());
    double gain = own - lower(objective.target(), mixture.plan().estimate());
    return plan.probability(objective) < required || gain >= WORTHWHILE * Math.abs(own);
  }
}
