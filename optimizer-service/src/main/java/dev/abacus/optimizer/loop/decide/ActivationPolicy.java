package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ConfidenceIntervals;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.PlanFit;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the best plan replaces the active one, and states the reason. A plan is activated
 *
 * <ul>
 *   <li>at once, if the program has no semantic operators and so only one plan;
 *   <li>as the first plan, as soon as every semantic operator has an implementation with j samples,
 *       one of them answered and one scored: documents wait for it;
 *   <li>while sampling is in progress, after each wave whose best plan has other steps;
 *   <li>when sampling is finished, also if only its estimate or frontier differs;
 *   <li>at once, by the present samples, if objective, program or pins changed.
 * </ul>
 *
 * <p>A plan that a user activated stays until the program, the objective or the {@code reoptimize}
 * token is set.
 */
public final class ActivationPolicy {

  private static final int PLANS_PER_ORDER = 20;

  /** Logarithm of a ratio of lengths from which users are told. */
  private static final double NOTABLE_RATIO = 0.1;

  private final DesiredState desired;
  private final ProgramSnapshot view;
  private final Decision decision;
  private final Program program;
  private final PlanFit fit;

  public ActivationPolicy(DesiredState desired, ProgramSnapshot view, Decision decision) {
    this.desired = desired;
    this.view = view;
    this.decision = decision;
    this.program = view.program();
    this.fit = new PlanFit(program, desired.pins());
  }

  /** The records of the plan and its activation; empty if the active plan stays. */
  public List<ControlRecord> records() {
    SearchResult best = decision.best();
    if (best == null || desired.held()) {
      return List.of();
    }
    PhysicalPlan plan =
        new PhysicalPlan(
            program.name(),
            desired.nextEpoch(),
            best.chosen(),
            program.objective(),
            published(best.frontier(), best.chosen(), program.objective()));
    String reason = reason(plan);
    return reason == null
        ? List.of()
        : List.of(
            new ControlRecord.PlanPublished(withIntervals(plan)),
            activation(
                plan,
                reason
                    + ": "
                    + promise(plan.choice(), plan.objective(), decision.promise())
                    + unpromised()
                    + storedAnswers(plan)
                    + liveLengths()
                    + liveBatches(plan)
                    + fanouts(plan)));
  }

  /** States why a plan of a finished search has no promise; else empty. */
  private String unpromised() {
    String why = decision.unpromised();
    return why == null || program.semanticOperators().isEmpty() ? "" : "; not promised: " + why;
  }

  /** States what the answer store saves, if it does. */
  private String storedAnswers(PhysicalPlan plan) {
    double without = view.costWithoutStore(plan.choice(), decision.beliefs());
    double cost = plan.choice().estimate().cost();
    return without > cost
        ? String.format(
            Locale.ROOT,
            "; the answer store saves %.1f %% of $%.6f",
            100 * (1 - cost / without),
            without)
        : "";
  }

  /** States that live documents are longer or shorter than the examples; else empty. */
  private String liveLengths() {
    return view.liveLengths().entrySet().stream()
        .filter(ratio -> Math.abs(Math.log(ratio.getValue())) > NOTABLE_RATIO)
        .map(ratio ->
            String.format(
                Locale.ROOT,
                "; live documents of '%s' are %.2f times as long as the examples",
                ratio.getKey(),
                ratio.getValue()))
        .collect(Collectors.joining());
  }

  /** States that live documents do not fill the calls for several documents; else empty. */
  private String liveBatches(PhysicalPlan plan) {
    StringBuilder text = new StringBuilder();
    for (PlanStep step : plan.steps()) {
      Double documents = view.liveBatches().unfilled(step.logical().id(), step.physical());
      if (documents != null) {
        text.append(
            String.format(
                Locale.ROOT,
                "; a call of '%s' is for %.1f live documents",
                step.logical().id(),
                documents));
      }
    }
    return text.toString();
  }

  /**
   * Adds the intervals of the estimates of the plan and its frontier, the promise, and the examples
   * that the judge sees.
   */
  private PhysicalPlan withIntervals(PhysicalPlan plan) {
    List<PlanChoice> plans = new ArrayList<>(plan.frontier());
    plans.add(plan.choice());
    return plan.with(ConfidenceIntervals.of(view, decision.beliefs(), plans), decision.promise())
        .withGraded(view.graded().forPlan());
  }

  /** Activates the plan for all documents, or for a share if the program asks for a canary. */
  private ControlRecord.Activated activation(PhysicalPlan plan, String reason) {
    Double share = program.governance().canary();
    ControlRecord.Activated active = desired.active();
    PhysicalPlan before = desired.activePlan();
    if (share != null
        && active != null
        && before != null
        && active.share() == 1
        && fit.fits(before)
        && !before.steps().equals(plan.steps())) {
      return new ControlRecord.Activated(
          program.name(), plan.epoch(), share, reason, ControlRecord.OPTIMIZER, active.epoch());
    }
    return new ControlRecord.Activated(
        program.name(), plan.epoch(), 1, reason, ControlRecord.OPTIMIZER);
  }

  /** States the outputs of operators over several documents, as far as they count for the cost. */
  private String fanouts(PhysicalPlan plan) {
    List<LogicalOperator> operators = plan.steps().stream().map(PlanStep::logical).toList();
    Fanouts fanouts = view.fanouts(decision.beliefs());
    String unknown =
        fanouts.unknown(operators).stream()
            .map("; the number of outputs of '%s' is not known"::formatted)
            .collect(Collectors.joining());
    return operators.stream()
            .filter(operator -> fanouts.measured().containsKey(operator.id()))
            .map(operator ->
                String.format(
                    Locale.ROOT,
                    "; '%s' has %.3f outputs per document",
                    operator.id(),
                    fanouts.of(operator).mean()))
            .collect(Collectors.joining())
        + unknown;
  }

  /** Why the plan replaces the active one; null if it does not. */
  private @Nullable String reason(PhysicalPlan plan) {
    PhysicalPlan active = desired.chosenPlan();
    String after = samples(view.observed());
    if (program.semanticOperators().isEmpty() && (active == null || differs(active, plan))) {
      return "the program needs no model, there is one plan";
    }
    if (active == null) {
      return (decision.finished() ? "search finished after " : "first plan, after ") + after;
    }
    if (!PlanFit.isFor(active, program)) {
      return "program changed, decided on " + after;
    }
    if (!active.objective().equals(program.objective())) {
      return "objective changed to %s, decided on %s".formatted(program.objective(), after);
    }
    if (fit.breaksPin(active)) {
      return "an operator was pinned, decided on " + after;
    }
    if (decision.finished() && differs(active, plan)) {
      return "search finished after %s (%s)".formatted(after, decision.ending());
    }
    // A canary takes long, so only the final plan gets one.
    boolean waveDone = view.totals().outstanding() == 0 && program.governance().canary() == null;
    return waveDone && !active.steps().equals(plan.steps()) ? "better plan after " + after : null;
  }

  private boolean differs(PhysicalPlan active, PhysicalPlan plan) {
    return !active.choice().equals(plan.choice())
        || !Objects.equals(active.promise(), decision.promise())
        || !active.objective().equals(plan.objective())
        || !active.frontier().equals(plan.frontier());
  }

  /**
   * The part of the frontier that is published with a plan: all of it while it is small, else the
   * best by the objective, the cheapest and the fastest plans, which users and the governor need.
   */
  private static List<PlanChoice> published(
      List<PlanChoice> frontier, PlanChoice chosen, Objective objective) {
    if (frontier.size() <= 3 * PLANS_PER_ORDER) {
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
      frontier.stream().sorted(order).limit(PLANS_PER_ORDER).forEach(kept::add);
    }
    return frontier.stream().filter(kept::contains).toList();
  }

  /** The plan's estimate and the bounds that it misses, for users. */
  private static String promise(
      PlanChoice choice, Objective objective, @Nullable PlanPromise measured) {
    Estimate estimate = choice.estimate();
    String missed =
        objective.bounds().stream()
            .filter(bound -> !bound.holds(estimate.get(bound.dimension())))
            .map(Bound::toString)
            .collect(Collectors.joining(", "));
    String promise =
        String.format(
            Locale.ROOT,
            "quality %.3f, cost $%.6f, latency %.2f s per document",
            estimate.quality(),
            estimate.cost(),
            estimate.latency());
    if (measured != null) {
      promise += measured(measured);
    }
    return missed.isEmpty() ? promise : promise + "; no plan known meets " + missed;
  }

  private static String measured(PlanPromise promise) {
    Range runs = promise.runs();
    String measured =
        runs == null
            ? "; cross-fitted on %d examples, quality %s"
                .formatted(promise.examples(), interval(promise.quality()))
            : "; measured on %d examples that the search did not use, quality %s; by all samples %s"
                .formatted(promise.examples(), interval(runs), interval(promise.quality()));
    if (promise.holds()) {
      return measured;
    }
    String bounds =
        promise.bounds().entrySet().stream()
            .map(bound ->
                String.format(
                    Locale.ROOT, "%s with %.0f %%", bound.getKey(), 100 * bound.getValue()))
            .collect(Collectors.joining(", "));
    if (promise.together() != null) {
      bounds += String.format(Locale.ROOT, ", all with %.0f %%", 100 * promise.together());
    }
    String advice = promise.advice();
    return measured
        + String.format(
            Locale.ROOT,
            "; the bounds do not hold with the required %.0f %%: %s",
            100 * promise.level(),
            bounds)
        + (advice == null ? "" : "; " + advice);
  }

  private static String interval(Range quality) {
    return String.format(
        Locale.ROOT,
        "%.3f to %.3f",
        quality.low() == null ? 0 : quality.low(),
        quality.high() == null ? 1 : quality.high());
  }

  /** A count of samples in words: "1 sample", "2 samples". */
  public static String samples(int count) {
    return count + (count == 1 ? " sample" : " samples");
  }
}
