package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.decide.Decision;
import dev.abacus.optimizer.loop.decide.Wording;
import dev.abacus.optimizer.loop.state.BudgetMeter;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.SampleBudget;
import org.jspecify.annotations.Nullable;

/** Makes the {@link LoopStatus} of a program after a decision. */
final class StatusReport {

  private final DesiredState desired;
  private final ProgramSnapshot view;
  private final Decision search;
  private final @Nullable String priorsProblem;

  /**
   * @param priorsProblem why priors that a user gave are not used; null if nothing is wrong
   */
  StatusReport(
      DesiredState desired, ProgramSnapshot view, Decision search, @Nullable String priorsProblem) {
    this.desired = desired;
    this.view = view;
    this.search = search;
    this.priorsProblem = priorsProblem;
  }

  /**
   * The status.
   *
   * @param budget of the present round, with all that was issued in it
   */
  LoopStatus status(BudgetMeter budget) {
    PhysicalPlan active = desired.activePlan();
    ControlRecord.Activated activated = desired.active();
    double judge = view.judgeUsd();
    Phase phase = phase();
    return new LoopStatus(
        view.program().name(),
        phase,
        budget.samples(),
        view.observed(),
        view.outstanding() + (desired.paused() ? 0 : search.samples().size()),
        budget.budget() instanceof SampleBudget.Invocations(int samples) ? samples : null,
        budget.budget() instanceof SampleBudget.Dollars(double usd) ? usd : null,
        view.spentUsd() + judge,
        judge,
        activated == null ? null : activated.epoch(),
        view.program().objective().toString(),
        active == null ? null : active.feasible(),
        active == null ? null : active.choice().signature(),
        message(phase));
  }

  private Phase phase() {
    boolean semantic = !view.program().semanticOperators().isEmpty();
    if (semantic && !view.hasExamples() && view.issued() == 0) {
      return Phase.WAITING_FOR_EXAMPLES;
    }
    if (search.over()) {
      return search.best() == null ? Phase.STUCK : Phase.FINISHED;
    }
    return desired.paused() ? Phase.PAUSED : Phase.SAMPLING;
  }

  private String message(Phase phase) {
    String plan = Wording.inForce(desired);
    if (priorsProblem != null) {
      plan += "; the priors that were given are not used: " + priorsProblem;
    }
    return switch (phase) {
      case WAITING_FOR_EXAMPLES ->
          "waiting for validation examples on topic '%s'; %s"
              .formatted(view.program().validation().topic(), plan);
      case STUCK -> "no plan can be made: " + Wording.stuck(view, search);
      case SAMPLING, PAUSED, FINISHED -> plan;
    };
  }
}
