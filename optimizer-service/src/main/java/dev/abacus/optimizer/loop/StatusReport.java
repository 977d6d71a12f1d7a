package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.decide.ActivationPolicy;
import dev.abacus.optimizer.loop.decide.Decision;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the {@link LoopStatus} of a program after a decision.
 *
 * @param settings with the models that could judge
 * @param priorsProblem why the user's priors are not used; null if they are, or there are none
 */
record StatusReport(
    DesiredState desired,
    ProgramSnapshot view,
    Decision decision,
    LoopSettings settings,
    @Nullable String priorsProblem) {

  /**
   * Creates the status.
   *
   * @param budget the budget of the current round, charged with all samples
   */
  LoopStatus status(BudgetMeter budget) {
    PhysicalPlan active = desired.activePlan();
    Standing standing = active == null ? null : active.standing(view.program().objective());
    ControlRecord.Activated activated = desired.active();
    double judge = view.totals().judgeUsd();
    Phase phase = phase();
    return new LoopStatus(
        view.program().name(),
        phase,
        budget.samples(),
        view.observed(),
        view.totals().outstanding() + (desired.paused() ? 0 : decision.samples().size()),
        budget.budget() instanceof SampleBudget.Invocations(int samples) ? samples : null,
        budget.budget() instanceof SampleBudget.Dollars(double usd) ? usd : null,
        budget.budget() instanceof SampleBudget.Tokens(long tokens) ? tokens : null,
        view.totals().tokens(),
        view.totals().spentUsd(),
        judge,
        activated == null ? null : activated.epoch(),
        view.program().objective().toString(),
        standing == null ? null : standing.holds(),
        standing,
        active == null ? null : active.choice().signature(),
        message(phase),
        outages().unavailable(),
        view.totals().live().documents() == 0 ? null : view.totals().live(),
        warnings());
  }

  private OutageReport outages() {
    return new OutageReport(view, settings.catalogue());
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (outages().judgesItself()) {
      warnings.add(
          "judge '%s' also scores its own answers, because no other model can be called"
              .formatted(view.program().judge()));
    }
    if (priorsProblem != null) {
      warnings.add("the priors that were given are not used: " + priorsProblem);
    }
    return warnings;
  }

  private Phase phase() {
    boolean semantic = !view.program().semanticOperators().isEmpty();
    if (semantic && !view.hasExamples() && view.isUnsampled()) {
      return Phase.WAITING_FOR_EXAMPLES;
    }
    boolean waiting = view.availability().isStalled();
    if (decision.finished()) {
      return decision.best() != null
          ? Phase.FINISHED
          : waiting ? Phase.WAITING_FOR_MODELS : Phase.STUCK;
    }
    if (desired.paused()) {
      return Phase.PAUSED;
    }
    return waiting && decision.samples().isEmpty() && !view.isWaiting()
        ? Phase.WAITING_FOR_MODELS
        : Phase.SAMPLING;
  }

  private String message(Phase phase) {
    String plan = inForce();
    for (ModelReport model : outages().unavailable()) {
      plan += "; " + model.message();
    }
    for (String warning : warnings()) {
      plan += "; warning: " + warning;
    }
    return switch (phase) {
      case WAITING_FOR_EXAMPLES ->
          "waiting for validation examples on topic '%s'; %s"
              .formatted(settings.validationTopic().apply(view.program()), plan);
      case STUCK -> "no plan can be made: " + stuck();
      case WAITING_FOR_MODELS -> "waiting for models: " + plan;
      case SAMPLING, PAUSED, FINISHED -> plan;
    };
  }

  /** Which operators have no implementation that may be chosen, and why. */
  private String stuck() {
    List<String> problems = new ArrayList<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      if (view.sampled(operator).answering().values().stream()
          .allMatch(arm -> arm.estimate() == null)) {
        problems.add("operator '%s': %s".formatted(operator.id(), problem(operator)));
      }
    }
    return String.join("; ", problems);
  }

  private String problem(LogicalOperator operator) {
    if (view.arms(operator).isEmpty()) {
      return "the program's models give it no implementation";
    }
    int samples = view.sampled(operator).observed();
    List<String> failures = view.sampled(operator).failures();
    if (!failures.isEmpty() && failures.size() == samples) {
      return "all of its %s failed, the last with: %s"
          .formatted(ActivationPolicy.samples(samples), failures.getLast());
    }
    if (samples > 0) {
      return "none of its %s could be scored".formatted(ActivationPolicy.samples(samples));
    }
    return decision.proposal().conclusions().get(operator.id()) == Proposal.Conclusion.NO_EXAMPLE
        ? "no validation example reaches it"
        : "the budget is spent before its first sample; raise it, or ask for a new round with a"
            + " reoptimize token";
  }

  /** The active plan and the reason of its activation. */
  private String inForce() {
    ControlRecord.Activated active = desired.active();
    if (active == null) {
      return "no plan yet";
    }
    return desired.held()
        ? held(active)
        : "epoch %d: %s".formatted(active.epoch(), active.reason());
  }

  /** Who activated the plan that the optimizer does not replace. */
  private static String held(ControlRecord.Activated active) {
    return "epoch %d was activated by %s (%s) and stays until the program or objective is set, or a reoptimize token"
        .formatted(active.epoch(), active.by(), active.reason());
  }
}
