package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus plan activate}. */
@Command(
    name = "activate",
    description = "Activate a plan for new documents; in-flight documents keep their plan.",
    footer = {"%nExample:", "  abacus plan activate support-triage 2 --share 0.1"})
final class PlanActivateCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();

  @Parameters(index = "1", paramLabel = "EPOCH", description = "The plan's epoch.")
  private long epoch;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "Share of new documents, above 0 and at most 1 (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private double share;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Reason, stored with the activation.")
  private String reason = "activated by hand";

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (!(share > 0 && share <= 1)) {
      throw CommandFailure.invalid("--share is " + share, "Give a number above 0 and at most 1.");
    }
    String name = program.name();
    ControlTopic control = program.control();
    PhysicalPlan plan = control.read().requirePlan(name, epoch);
    var activated = new ControlRecord.Activated(name, plan.epoch(), share, reason, "user");
    control.write(activated);
    output.data(activated, "%s: epoch %d is active".formatted(name, plan.epoch()));
  }
}
