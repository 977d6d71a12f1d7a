package dev.abacus.schemas.plan;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A plan of the frontier that looks better than the chosen one in the target of the objective.
 *
 * @param reason the one reason that it was not chosen, as a clause
 */
public record Alternative(PlanChoice plan, Standing standing, String reason) {

  /** Probability from which a difference is shown. */
  private static final double SHOWN = 0.95;

  /** The alternatives of a plan, the one that looks best first. */
  public static List<Alternative> of(PhysicalPlan plan) {
    Objective objective = plan.objective();
    Dimension target = objective.target();
    double chosen = plan.estimate().get(target);
    List<Alternative> alternatives = new ArrayList<>();
    for (PlanChoice choice : plan.frontier()) {
      if (target.better(choice.estimate().get(target), chosen) && !plan.isChosen(choice)) {
        Standing standing = plan.standing(choice);
        alternatives.add(new Alternative(choice, standing, reason(plan, choice, standing)));
      }
    }
    Comparator<Alternative> best =
        Comparator.comparingDouble(one -> one.plan().estimate().get(target));
    alternatives.sort(target == Dimension.QUALITY ? best.reversed() : best);
    return List.copyOf(alternatives);
  }

  private static String reason(PhysicalPlan plan, PlanChoice choice, Standing standing) {
    Dimension target = plan.objective().target();
    String seems =
        switch (target) {
          case QUALITY -> "seems better";
          case COST -> "seems cheaper";
          case LATENCY -> "seems faster";
        };
    Double own = deviation(plan.choice(), target);
    Double other = deviation(choice, target);
    double by = Math.abs(choice.estimate().get(target) - plan.estimate().get(target));
    if (!standing.holds()) {
      return seems + "; " + standing.clause();
    }
    double error = own == null || other == null ? 0 : Math.hypot(own, other);
    boolean told = error == 0 || Quantiles.normalBelow(by / error) > SHOWN;
    double dearer = choice.estimate().cost() / Math.max(1e-12, plan.estimate().cost()) - 1;
    if (!told) {
      return seems
          + String.format(
              Locale.ROOT,
              " by %.3g, which its samples cannot tell from nothing (± %.2g)",
              by,
              2 * error)
          + (target == Dimension.QUALITY && dearer >= 0.01
              ? String.format(Locale.ROOT, ", and costs %.0f %% more", 100 * dearer)
              : "");
    }
    return seems + String.format(Locale.ROOT, " by %.3g, but was not run as a whole plan", by);
  }

  private static @Nullable Double deviation(PlanChoice choice, Dimension dimension) {
    return choice.spread() == null ? null : choice.spread().get(dimension);
  }
}
