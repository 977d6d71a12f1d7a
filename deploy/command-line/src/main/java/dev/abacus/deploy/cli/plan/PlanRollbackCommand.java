package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus plan rollback}. */
@Command(
    name = "rollback",
    description = {
      "Activate the plan that was active before, for all new documents. During a canary, end the",
      "canary."
    },
    footer = {"%nExample:", "  abacus plan rollback support-triage"})
final class PlanRollbackCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    ControlState state = control.read();
    long active = state.requirePlan(name, null).epoch();
    Long before = state.epochBefore(name);
    if (before == null) {
      throw CommandFailure.failed(
          "%s has no plan before epoch %d".formatted(name, active),
          "`abacus plan list %s` shows the plans; `abacus plan activate` takes any of them."
              .formatted(name));
    }
    var _ = state.requireActivatable(name, before);
    var activated =
        new ControlRecord.Activated(name, before, 1, "rolled back from epoch " + active, "user");
    control.write(activated);
    output.data(
        activated,
        "%s: back from epoch %d to epoch %d, for all new documents"
            .formatted(name, active, before));
  }
}
