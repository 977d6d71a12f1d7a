package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus plan activate}. */
@Command(
    name = "activate",
    description = "Activate a plan for new documents; in-flight documents keep their plan.",
    footer = "  abacus plan activate support-triage 2 --share 0.1")
final class PlanActivateCommand extends ProgramCommand {

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

  @Override
  protected void check() {
    CommandFailure.require(
        share > 0 && share <= 1, "--share is " + share, "Give a number above 0 and at most 1.");
  }

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    PhysicalPlan plan = state.requireActivatable(name, epoch);
    Long others = share == 1 ? null : others(state.active(name));
    CommandFailure.require(
        share == 1 || others != null,
        "%s has no other active plan for the rest of the documents".formatted(name),
        "Omit --share.");
    var activated = new ControlRecord.Activated(name, plan.epoch(), share, reason, "user", others);
    control.write(activated);
    output.data(activated, "%s: %s".formatted(name, PlanReport.activation(activated)));
    state.unfollowedPins(plan).forEach(output::note);
  }

  /** The epoch of the documents outside of the canary; null if there is none. */
  private @Nullable Long others(ControlRecord.@Nullable Activated active) {
    if (active == null) {
      return null;
    }
    return active.epoch() == epoch ? active.beside() : Long.valueOf(active.epoch());
  }
}
