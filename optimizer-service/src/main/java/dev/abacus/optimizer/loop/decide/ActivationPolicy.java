package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.PlanFit;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the best plan of a search takes the place of the active one, and why.
 *
 * <ul>
 *   <li>A program without semantic operators has one plan: at once.
 *   <li>The first plan: as soon as every semantic operator has an implementation with j samples, of
 *       which one gave an answer and one a score. Documents are waiting for it.
 *   <li>While the search goes on: after every wave of samples whose best plan has other steps than
 *       the active one.
 *   <li>When the search is over: the best plan, also if only its estimate or frontier is new.
 *   <li>When objective, program or pins no longer fit the active plan: at once, from what is known,
 *       if that is enough for a plan.
 * </ul>
 *
 * <p>A plan that somebody else activated is left alone until the program, the objective or the
 * {@code reoptimize} token is set.
 */
public final class ActivationPolicy {

  private final DesiredState desired;
  private final ProgramSnapshot view;
  private final Decision search;
  private final Program program;
  private final PlanFit fit;

  public ActivationPolicy(DesiredState desired, ProgramSnapshot view, Decision search) {
    this.desired = desired;
    this.view = view;
    this.search = search;
    this.program = view.program();
    this.fit = new PlanFit(program, desired.pins());
  }

  /** The plan and its activation; empty if the active plan stays. */
  public List<ControlRecord> records() {
    SearchResult best = search.best();
    if (best == null || desired.held()) {
      return List.of();
    }
    PhysicalPlan plan =
        new PhysicalPlan(
            program.name(),
            desired.nextEpoch(),
            best.chosen(),
            program.objective(),
            PublishedFrontier.of(best.frontier(), best.chosen(), program.objective()));
    String reason = reason(plan);
    return reason == null
        ? List.of()
        : List.of(
            new ControlRecord.PlanPublished(sure(plan)),
            activation(plan, reason + ": " + Wording.promise(plan.choice(), plan.objective())));
  }

  /** The plan, with how sure its estimates and those of its frontier are. */
  private PhysicalPlan sure(PhysicalPlan plan) {
    List<PlanChoice> plans = new ArrayList<>(plan.frontier());
    plans.add(plan.choice());
    return new PhysicalPlan(
        plan.program(),
        plan.epoch(),
        plan.choice(),
        plan.objective(),
        plan.frontier(),
        search.basis(plans));
  }

  /** For all documents; or for a share of them, where the program asks for a canary. */
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

  /** Why the plan should take the place of the active one; null if it should not. */
  private @Nullable String reason(PhysicalPlan plan) {
    PhysicalPlan active = desired.chosenPlan();
    String after = Wording.samples(view.observed());
    if (program.semanticOperators().isEmpty() && (active == null || differs(active, plan))) {
      return "the program needs no model, there is one plan";
    }
    if (active == null) {
      return (search.over() ? "search finished after " : "first plan, after ") + after;
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
    if (search.over() && differs(active, plan)) {
      return "search finished after %s (%s)".formatted(after, search.ending());
    }
    // A canary takes its time; it is for what the whole search found.
    boolean waveDone = view.outstanding() == 0 && program.governance().canary() == null;
    return waveDone && !active.steps().equals(plan.steps()) ? "better plan after " + after : null;
  }

  private static boolean differs(PhysicalPlan active, PhysicalPlan plan) {
    return !active.choice().equals(plan.choice())
        || !active.objective().equals(plan.objective())
        || !active.frontier().equals(plan.frontier());
  }
}
