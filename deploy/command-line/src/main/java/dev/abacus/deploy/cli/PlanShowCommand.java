package dev.abacus.deploy.cli;

import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.schemas.plan.PhysicalPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code abacus plan show}. */
@Command(
    name = "show",
    description =
        "One plan with its estimate, its bounds and the frontier that it was chosen from.",
    footer = {"%nExample:", "  abacus plan show support-triage 2"})
final class PlanShowCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "EPOCH",
      description = "Which; without it, the active one.")
  private @Nullable Long epoch;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlState state = program.control().read();
    PhysicalPlan plan = require(state, name, epoch);
    output.data(PlanReport.json(plan), PlanReport.lines(plan));
  }

  /** The plan of that epoch, or the active one; a failure if there is none. */
  static PhysicalPlan require(ControlState state, String name, @Nullable Long epoch) {
    state.require(name);
    PhysicalPlan plan = state.plan(name, epoch);
    if (plan == null) {
      throw CommandFailure.failed(
          epoch == null
              ? name + " has no active plan yet"
              : "%s has no plan of epoch %d".formatted(name, epoch),
          state.plans(name).isEmpty()
              ? "`abacus status %s` shows how far the search is.".formatted(name)
              : "There are the epochs %s.".formatted(state.plans(name).keySet()));
    }
    return plan;
  }
}
