package dev.abacus.optimizer.page.view;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Standing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which plan of the frontier other bounds would choose: the best one whose bounds hold, or if none
 * do, the likeliest. Samples nothing, so it answers at once. For the bounds that the active plan
 * was searched for, the answer is that plan.
 *
 * @param sliders one for each dimension that can be bounded
 * @param objective that the sliders state
 * @param answer the plan that it would choose, in words
 * @param best the plan; null if all miss the bounds
 */
public record WhatIf(
    List<Slider> sliders, String objective, String answer, @Nullable PlanChoice best) {

  /** Position of a slider without a bound. */
  public static final int OPEN = 100;

  /**
   * A slider on the bound of a dimension.
   *
   * @param name of the dimension
   * @param position from 0, the strictest bound that a plan meets, to {@link #OPEN}
   * @param text the bound
   */
  public record Slider(String name, int position, String text) {}

  /**
   * Answers for the objective in force, with the bounds of the sliders that were moved.
   *
   * @param positions by name of the dimension; a missing one keeps the bound in force
   */
  static WhatIf of(PhysicalPlan plan, Objective inForce, Map<String, Integer> positions) {
    List<PlanChoice> frontier =
        plan.frontier().isEmpty() ? List.of(plan.choice()) : plan.frontier();
    List<Slider> sliders = new ArrayList<>();
    List<Bound> bounds = new ArrayList<>();
    for (Dimension dimension : Dimension.values()) {
      if (dimension == inForce.target()) {
        continue;
      }
      double[] amounts =
          frontier.stream().mapToDouble(each -> each.estimate().get(dimension)).sorted().toArray();
      Integer moved = positions.get(dimension.label());
      Bound bound =
          moved == null
              ? inForce.bound(dimension)
              : bound(dimension, amounts, Math.min(OPEN, Math.max(0, moved)));
      if (bound != null) {
        bounds.add(bound);
      }
      sliders.add(
          new Slider(
              dimension.label(),
              moved == null ? position(bound, amounts) : Math.min(OPEN, Math.max(0, moved)),
              bound == null ? "no bound on " + dimension.label() : bound.toString()));
    }
    Objective objective = new Objective(inForce.target(), bounds);
    PlanChoice best =
        objective.equals(plan.objective()) ? plan.choice() : best(plan, frontier, objective);
    return new WhatIf(sliders, objective.toString(), answer(plan, best, objective), best);
  }

  /** The best plan that holds the bounds, or the likeliest to; null if all miss them. */
  private static @Nullable PlanChoice best(
      PhysicalPlan plan, List<PlanChoice> frontier, Objective objective) {
    Comparator<PlanChoice> target =
        Comparator.comparingDouble(choice -> choice.estimate().get(objective.target()));
    Map<PlanChoice, Standing> standings = new HashMap<>();
    frontier.forEach(choice -> standings.put(choice, plan.standing(choice, objective)));
    Standing.Verdict most =
        standings.values().stream()
            .map(Standing::verdict)
            .min(Comparator.naturalOrder())
            .orElse(Standing.Verdict.MISSES);
    Comparator<PlanChoice> likely =
        Comparator.comparing(
            choice -> standing(standings, choice).probability(),
            Comparator.nullsLast(Comparator.reverseOrder()));
    Comparator<PlanChoice> better =
        objective.target() == Dimension.QUALITY ? target.reversed() : target;
    return most == Standing.Verdict.MISSES
        ? null
        : frontier.stream()
            .filter(choice -> standing(standings, choice).verdict() == most)
            .min(most == Standing.Verdict.HOLDS ? better : likely.thenComparing(better))
            .orElse(null);
  }

  private static Standing standing(Map<PlanChoice, Standing> standings, PlanChoice choice) {
    return Objects.requireNonNull(standings.get(choice));
  }

  private static String answer(PhysicalPlan plan, @Nullable PlanChoice best, Objective objective) {
    if (best == null) {
      return "Every plan of the frontier misses these bounds.";
    }
    Standing standing =
        objective.equals(plan.objective()) ? plan.standing(best) : plan.standing(best, objective);
    return "%s: quality %s, %s and %s per document%s."
        .formatted(
            plan.isChosen(best) ? "The active plan stays" : "Another plan",
            Figures.planned(plan, best, Dimension.QUALITY),
            Figures.planned(plan, best, Dimension.COST),
            Figures.planned(plan, best, Dimension.LATENCY),
            standing.bounds().isEmpty() ? "" : "; " + standing.sentence());
  }

  /** The bound at a position; null at the end of the slider. */
  private static @Nullable Bound bound(Dimension dimension, double[] amounts, int position) {
    if (position >= OPEN) {
      return null;
    }
    boolean quality = dimension == Dimension.QUALITY;
    double strict = quality ? amounts[amounts.length - 1] : amounts[0];
    double loose = quality ? amounts[0] : amounts[amounts.length - 1];
    double share = position / (double) OPEN;
    double limit =
        strict > 0 && loose > 0
            ? strict * Math.pow(loose / strict, share)
            : strict + share * (loose - strict);
    // Rounded so that the plan at the limit still meets the bound.
    BigDecimal rounded =
        BigDecimal.valueOf(limit)
            .round(new MathContext(3, quality ? RoundingMode.FLOOR : RoundingMode.CEILING));
    return new Bound(dimension, rounded.doubleValue());
  }

  /** The position whose bound is closest to the given one. */
  private static int position(@Nullable Bound bound, double[] amounts) {
    if (bound == null) {
      return OPEN;
    }
    boolean quality = bound.dimension() == Dimension.QUALITY;
    double strict = quality ? amounts[amounts.length - 1] : amounts[0];
    double loose = quality ? amounts[0] : amounts[amounts.length - 1];
    if (strict == loose || strict <= 0 || loose <= 0 || bound.limit() <= 0) {
      return 0;
    }
    double share = Math.log(bound.limit() / strict) / Math.log(loose / strict);
    return (int) Math.round(Math.min(OPEN - 1, Math.max(0, share * OPEN)));
  }
}
