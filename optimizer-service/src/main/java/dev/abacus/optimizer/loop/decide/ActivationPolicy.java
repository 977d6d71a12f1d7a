package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the best plan replaces the active one, and states the reason. A plan is activated
 *
 * <ul>
 *   <li>at once, if the program has no semantic operators and so only one plan;
 *   <li>as the first plan, as soon as every semantic operator has an implementation with j samples,
 *       one of them answered and one scored: documents wait for it;
 *   <li>while sampling is in progress, after each wave, and when it is finished, if it is a gain
 *       ({@link PlanGain}) over the active plan;
 *   <li>when the search has ended with it, and the active one was not measured, unless it is a loss
 *       ({@link PlanGain#isLoss});
 *   <li>at once, by the present samples, if program or pins changed, or if the objective changed
 *       and it is a gain under the new one.
 * </ul>
 *
 * <p>Otherwise the active plan stays. It keeps its epoch, and its record gets the new objective,
 * estimate and frontier, so that what was measured of it counts on.
 *
 * <p>A plan that a user activated stays until the program, the objective or the {@code reoptimize}
 * token is set.
 *
 * @param required probability from which a bound holds
 */
public record ActivationPolicy(
    DesiredState desired, ProgramSnapshot view, Decision decision, double required) {

  private static final int PLANS_PER_ORDER = 20;

  /**
   * What to publish.
   *
   * @param plan with the epoch of the active plan if that one stays
   * @param gain over the active plan; null if there is none to compare with
   */
  private record Next(PhysicalPlan plan, @Nullable PlanGain gain, boolean stays) {}

  private Program program() {
    return view.program();
  }

  /** The records of the plan and its activation; empty if nothing changes. */
  public List<ControlRecord> records() {
    SearchResult best = decision.best();
    if (best == null || desired.held()) {
      return List.of();
    }
    Next next = next(best);
    String cause = cause(next);
    if (cause == null) {
      return List.of();
    }
    PhysicalPlan plan = next.plan();
    String reason = cause + outcome(next) + new PlanDescription(view, decision).of(plan);
    ControlRecord.Activated activation =
        next.stays() ? restated(plan, reason) : activation(plan, reason);
    ControlRecord published = new ControlRecord.PlanPublished(plan);
    return activation == null ? List.of(published) : List.of(published, activation);
  }

  /** The best plan, or the active one as it is known now. */
  private Next next(SearchResult best) {
    PhysicalPlan active = desired.chosenPlan();
    if (active == null
        || !DesiredState.isFor(active, program())
        || desired.breaksPin(active)
        || isUnusable(active)) {
      return new Next(
          plan(desired.nextEpoch(), best.chosen(), best, decision.promise()), null, false);
    }
    boolean same = active.choice().hasStepsOf(best.chosen());
    PlanGain gain = gain(active, best);
    if (same || gain.isShown() || isNew(active, best.chosen(), gain)) {
      long epoch = same ? active.epoch() : desired.nextEpoch();
      return new Next(plan(epoch, best.chosen(), best, decision.promise()), gain, same);
    }
    PlanChoice kept = gain.from().plan();
    PlanPromise promise = active.promise();
    return new Next(
        plan(
            active.epoch(),
            kept,
            best.with(kept, program().objective()),
            promise == null ? null : promise.towards(program().objective(), kept)),
        gain,
        true);
  }

  /**
   * Whether the plan is taken without a gain: it has the same implementations with parameters that
   * were learnt anew, or the search ended with it, the active one was not measured, and it is no
   * loss.
   */
  private boolean isNew(PhysicalPlan active, PlanChoice chosen, PlanGain gain) {
    return active.isChosen(chosen)
        || (decision.finished()
            && active.promise() == null
            && !gain.isLoss(decision.promise() != null));
  }

  private boolean isUnusable(PhysicalPlan plan) {
    return plan.choice().allSteps().stream()
        .anyMatch(step -> view.availability().isUnusable(step.physical()));
  }

  private PlanGain gain(PhysicalPlan active, SearchResult best) {
    return new PlanGain(
        uncertain(stated(asKnown(active))),
        uncertain(stated(best.chosen())),
        program().objective(),
        required);
  }

  /**
   * The active plan as it is known now. Of a plan that was run as a whole that is what the runs
   * said, at the cost that live documents have: how many share a call, how long they are and what
   * caches take off may have changed since it was published.
   */
  private PlanChoice asKnown(PhysicalPlan active) {
    boolean wasRun = active.promise() != null;
    Estimate from = estimate(active, (basis, belief) -> published(basis, belief, wasRun));
    Estimate to = estimate(active, (_, belief) -> belief);
    Estimate known = active.estimate();
    return active
        .choice()
        .with(
            new Estimate(
                wasRun
                    ? known.quality()
                    : Math.min(1, moved(known.quality(), from.quality(), to.quality())),
                moved(known.cost(), from.cost(), to.cost()),
                wasRun ? known.latency() : moved(known.latency(), from.latency(), to.latency())),
            null);
  }

  private static OperatorEstimate published(
      StepEstimate basis, OperatorEstimate belief, boolean wasRun) {
    return new OperatorEstimate(
        basis.quality().mean(),
        basis.cost().mean(),
        basis.latency().mean(),
        wasRun ? belief.selectivity() : basis.selectivity());
  }

  /** A plan by an estimate of each step whose published and present ones are known. */
  private Estimate estimate(
      PhysicalPlan plan, BiFunction<StepEstimate, OperatorEstimate, OperatorEstimate> ofStep) {
    Beliefs beliefs = decision.beliefs();
    return plan.choice()
        .mean(part -> {
          Map<String, OperatorEstimate> estimates = new HashMap<>();
          for (PlanStep step : part.steps()) {
            Belief belief = beliefs.find(step);
            StepEstimate basis =
                plan.basis().getOrDefault(step.logical().id(), Map.of()).get(step.physical().id());
            if (belief != null && basis != null) {
              estimates.put(
                  step.logical().id(),
                  beliefs
                      .fanouts()
                      .perDocument(step.logical(), ofStep.apply(basis, belief.mean())));
            }
          }
          return CostModel.SELECTIVITY.estimate(
              part.steps().stream().map(PlanStep::logical).toList(), estimates);
        });
  }

  private static double moved(double known, double from, double to) {
    return from == 0 || to == 0 ? known : known * to / from;
  }

  private UncertainPlan uncertain(PlanChoice choice) {
    return UncertainPlan.of(choice, decision.beliefs());
  }

  /**
   * The plan with the intervals of the estimates of it and its frontier, the promise, and the
   * examples that the judge sees.
   */
  private PhysicalPlan plan(
      long epoch, PlanChoice choice, SearchResult best, @Nullable PlanPromise promise) {
    List<PlanChoice> frontier =
        published(best.frontier(), choice, program().objective()).stream()
            .map(this::stated)
            .toList();
    List<PlanChoice> plans = new ArrayList<>(frontier);
    plans.add(choice);
    PhysicalPlan plan =
        new PhysicalPlan(program().name(), epoch, stated(choice), program().objective(), frontier)
            .with(decision.intervals(plans), promise, required)
            .withGraded(view.graded().forPlan());
    // A plan that keeps its epoch keeps what was learnt from its documents.
    PhysicalPlan known = desired.plans().get(epoch);
    return known == null ? plan : plan.withLearned(epoch, known.learned(), known.orders());
  }

  /** The plan with how sure its estimate is. */
  private PlanChoice stated(PlanChoice choice) {
    return choice.spread() != null
        ? choice
        : uncertain(choice).stated(decision.beliefs().unknownOutputs(choice).isEmpty());
  }

  /** The activation in force with a new reason; null if the plan is not the active one. */
  private ControlRecord.@Nullable Activated restated(PhysicalPlan plan, String reason) {
    ControlRecord.Activated active = desired.active();
    return active == null || active.epoch() != plan.epoch()
        ? null
        : active.withReason(reason).withBy(ControlRecord.OPTIMIZER);
  }

  /** Activates the plan for all documents, or for a share if the program asks for a canary. */
  private ControlRecord.Activated activation(PhysicalPlan plan, String reason) {
    Double share = program().governance().canary();
    ControlRecord.Activated active = desired.active();
    PhysicalPlan before = desired.activePlan();
    if (share != null
        && active != null
        && before != null
        && active.share() == 1
        && desired.fits(before, program())
        && !before.choice().hasStepsOf(plan.choice())) {
      return new ControlRecord.Activated(
          program().name(), plan.epoch(), share, reason, ControlRecord.OPTIMIZER, active.epoch());
    }
    return new ControlRecord.Activated(
        program().name(), plan.epoch(), 1, reason, ControlRecord.OPTIMIZER);
  }

  /** What makes the optimizer publish the plan; null if nothing does. */
  private @Nullable String cause(Next next) {
    PhysicalPlan active = desired.chosenPlan();
    String after = samples(view.observed());
    if (program().semanticOperators().isEmpty()
        && (active == null || differs(active, next.plan()))) {
      return "the program needs no model, there is one plan";
    }
    if (active == null) {
      return (decision.finished() ? "search finished after " : "first plan, after ") + after;
    }
    if (!DesiredState.isFor(active, program())) {
      return "program changed, decided on " + after;
    }
    if (!active.objective().equals(program().objective())) {
      return "objective changed to %s, decided on %s".formatted(program().objective(), after);
    }
    if (desired.breaksPin(active)) {
      return "an operator was pinned, decided on " + after;
    }
    if (decision.finished() && differs(active, next.plan())) {
      return round() + "search finished after %s (%s)".formatted(after, decision.ending());
    }
    // A canary takes long, so only the final plan gets one.
    boolean waveDone = view.totals().outstanding() == 0 && program().governance().canary() == null;
    return waveDone && !next.stays() ? round() + "better plan after " + after : null;
  }

  private String round() {
    String why = RoundReason.of(desired.token());
    return why.isEmpty() ? "" : "new round because %s: ".formatted(why);
  }

  /**
   * What the plan is better in than the active one, or why the active one stays. A plan that is
   * measured further is still the choice over the one before it.
   */
  private String outcome(Next next) {
    PhysicalPlan active = desired.chosenPlan();
    PlanGain gain = next.gain();
    SearchResult best = decision.best();
    if (active == null || gain == null || best == null) {
      return "";
    }
    if (!next.stays()) {
      return ", " + instead(active, gain);
    }
    if (!active.choice().hasStepsOf(best.chosen())) {
      return ", the plan stays; the best other plan: " + gain.describe();
    }
    PhysicalPlan before = replacedBy(active);
    return ", the plan stays"
        + (before == null ? "" : "; it came " + instead(before, gain(before, best)));
  }

  private String instead(PhysicalPlan before, PlanGain gain) {
    boolean unmeasured = decision.promise() != null && before.promise() == null;
    return "instead of epoch %d%s: %s"
        .formatted(
            before.epoch(),
            unmeasured && !gain.isShown() ? ", which was not run as a whole" : "",
            gain.describe());
  }

  /** The last other plan before this one that could run instead; null if there is none. */
  private @Nullable PhysicalPlan replacedBy(PhysicalPlan active) {
    return desired.plans().headMap(active.epoch()).values().stream()
        .filter(plan -> !plan.choice().hasStepsOf(active.choice()))
        .filter(plan -> DesiredState.isFor(plan, program()) && !isUnusable(plan))
        .reduce((_, later) -> later)
        .orElse(null);
  }

  private boolean differs(PhysicalPlan active, PhysicalPlan plan) {
    return !active.choice().equals(plan.choice())
        || !Objects.equals(active.promise(), plan.promise())
        || !active.objective().equals(plan.objective())
        || !active.frontier().equals(plan.frontier());
  }

  /**
   * The part of the frontier that is published with a plan: all of it while it is small, else the
   * best by the objective, the cheapest and the fastest plans, and the same plan at other service
   * tiers, which users and the governor need.
   */
  private static List<PlanChoice> published(
      List<PlanChoice> frontier, PlanChoice chosen, Objective objective) {
    if (frontier.size() <= 3 * PLANS_PER_ORDER) {
      return frontier;
    }
    Comparator<PlanChoice> best = PlanOrder.of(objective, PlanChoice::estimate);
    Set<PlanChoice> kept = new LinkedHashSet<>();
    kept.add(chosen);
    String answers = ServiceTier.withoutTiers(chosen.signature());
    frontier.stream()
        .filter(plan -> ServiceTier.withoutTiers(plan.signature()).equals(answers))
        .forEach(kept::add);
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

  /** A count of samples in words: "1 sample", "2 samples". */
  public static String samples(int count) {
    return count + (count == 1 ? " sample" : " samples");
  }
}
