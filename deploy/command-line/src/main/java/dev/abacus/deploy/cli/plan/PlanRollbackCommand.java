package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import picocli.CommandLine.Command;

/** {@code abacus plan rollback}. */
@Command(
    name = "rollback",
    description = {
      "Activate the plan that was active before, for all new documents.",
      "During a canary, end the canary."
    },
    footer = "  abacus plan rollback support-triage")
final class PlanRollbackCommand extends ProgramCommand {

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    long active = state.requirePlan(name, null).epoch();
    Long before = state.epochBefore(name);
    if (before == null) {
      throw CommandFailure.failed(
          "%s has no plan before epoch %d".formatted(name, active),
          "`abacus plan list %s` shows the plans; `abacus plan activate` takes any of them."
              .formatted(name));
    }
    PhysicalPlan plan = state.requireActivatable(name, before);
    var activated =
        new ControlRecord.Activated(name, before, 1, "rolled back from epoch " + active, "user");
    control.write(activated);
    output.data(
        activated,
        "%s: back from epoch %d to epoch %d, for all new documents"
            .formatted(name, active, before));
    state.unfollowedPins(plan).forEach(output::note);
  }
}
