package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.Standing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a plan has over the active one under an objective. The gain is shown if
 *
 * <ul>
 *   <li>the plan stands better towards the bounds ({@link Standing.Verdict}), unless both miss what
 *       is required and are about equally likely to keep them: 50 % is no better than 49 %;
 *   <li>both miss them, and the plan is likelier to keep them;
 *   <li>both stand alike, and the plan is better in the target by more than the error of the
 *       difference explains.
 * </ul>
 *
 * <p>So a plan whose bounds are not settled is not left for a dearer one whose bounds are not
 * settled either.
 *
 * @param from the active plan, with its spread
 * @param to the other plan, with its spread
 * @param required probability from which a bound holds
 */
record PlanGain(UncertainPlan from, UncertainPlan to, Objective objective, double required) {

  /** Difference of probabilities that does not justify a change. */
  private static final double ALIKE = 0.02;

  /** Relative difference that is not worth a word. */
  private static final double NEGLIGIBLE = 0.001;

  boolean isShown() {
    Standing before = standing(from);
    Standing after = standing(to);
    if (before.verdict() != after.verdict() && !areAlike(before, after)) {
      return after.verdict().compareTo(before.verdict()) < 0;
    }
    if (bothMiss(before, after)) {
      return before.probability() == null
          || after.probability() == null
          || isLikelier(before, after);
    }
    return from.isShownWorse(to, objective, required);
  }

  /**
   * Whether the active plan holds the bounds, and the change is shown to make the target worse, or
   * gives up the bounds without a plan that was run.
   *
   * @param wasRun whether the other plan was run as a whole
   */
  boolean isLoss(boolean wasRun) {
    return standing(from).holds()
        && (standing(to).holds() ? to.isShownWorse(from, objective, required) : !wasRun);
  }

  private static boolean bothMiss(Standing before, Standing after) {
    return before.verdict() == Standing.Verdict.MISSES && before.verdict() == after.verdict();
  }

  private static boolean isLikelier(Standing before, Standing after) {
    return before.probability() != null
        && after.probability() != null
        && after.probability() > before.probability() + ALIKE;
  }

  private static boolean areAlike(Standing before, Standing after) {
    return before.verdict() != Standing.Verdict.HOLDS
        && after.verdict() != Standing.Verdict.HOLDS
        && before.probability() != null
        && after.probability() != null
        && Math.abs(after.probability() - before.probability()) <= ALIKE;
  }

  private Standing standing(UncertainPlan plan) {
    return Standing.of(objective, plan.plan().estimate(), plan.plan().spread(), required);
  }

  /**
   * What changes with the plan, and whether the target does: {@code better cost $0.0004 instead of
   * $0.0012 (> 99 % sure); alike in quality}.
   */
  String describe() {
    List<String> better = new ArrayList<>();
    List<String> worse = new ArrayList<>();
    Standing before = standing(from);
    Standing after = standing(to);
    if (before.verdict() != after.verdict()
        || (bothMiss(before, after) && isLikelier(before, after))) {
      (after.verdict().compareTo(before.verdict()) <= 0 ? better : worse)
          .add("%s instead of %s".formatted(after.word(), before.word()));
    }
    Set<Dimension> dimensions = new LinkedHashSet<>(Set.of(objective.target()));
    dimensions.addAll(EnumSet.allOf(Dimension.class));
    for (Dimension dimension : dimensions) {
      if (isDifferent(dimension)) {
        boolean gain =
            dimension.better(
                to.plan().estimate().get(dimension), from.plan().estimate().get(dimension));
        (gain ? better : worse)
            .add(
                "%s %s instead of %s%s"
                    .formatted(
                        dimension.label(),
                        shown(dimension, to),
                        shown(dimension, from),
                        gain ? sure(dimension) : ""));
      }
    }
    if (better.isEmpty() && worse.isEmpty()) {
      return "alike in everything";
    }
    StringJoiner clauses = new StringJoiner("; ");
    if (!better.isEmpty()) {
      clauses.add("better " + String.join(", ", better));
    }
    if (!isDifferent(objective.target())) {
      clauses.add("alike in " + objective.target().label());
    }
    if (!worse.isEmpty()) {
      clauses.add("worse " + String.join(", ", worse));
    }
    return clauses.toString();
  }

  /** A difference that the figures do not show is none to a reader. */
  private boolean isDifferent(Dimension dimension) {
    double old = from.plan().estimate().get(dimension);
    double now = to.plan().estimate().get(dimension);
    return !shown(dimension, to).equals(shown(dimension, from))
        && Math.abs(now - old) > NEGLIGIBLE * Math.max(Math.abs(old), Math.abs(now));
  }

  private String sure(Dimension dimension) {
    return from.deviation(dimension) + to.deviation(dimension) > 0
        ? " (%s sure)".formatted(Standing.percent(from.probabilityWorse(to, dimension)))
        : "";
  }

  private static String shown(Dimension dimension, UncertainPlan plan) {
    Estimate estimate = plan.plan().estimate();
    return switch (dimension) {
      case QUALITY -> String.format(Locale.ROOT, "%.3f", estimate.quality());
      case COST -> String.format(Locale.ROOT, "$%.6f", estimate.cost());
      case LATENCY -> String.format(Locale.ROOT, "%.2f s", estimate.latency());
    };
  }
}
