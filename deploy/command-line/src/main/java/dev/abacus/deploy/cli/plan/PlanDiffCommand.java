package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanDifference;
import dev.abacus.schemas.program.Program;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code abacus plan diff}. */
@Command(
    name = "diff",
    description =
        "Show the differences of two plans: implementations, order, objective and estimates.",
    footer = "  abacus plan diff support-triage 1 2")
final class PlanDiffCommand extends ProgramCommand {

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FROM",
      description = "Epoch (default: the one before TO).")
  private @Nullable Long from;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "TO",
      description = "Epoch (default: the active one).")
  private @Nullable Long to;

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    PhysicalPlan later = state.requirePlan(name, to);
    long earlier = from != null ? from : before(state, name, later.epoch());
    PlanDifference difference = PlanDifference.between(state.requirePlan(name, earlier), later);
    output.data(difference, difference.lines());
  }

  private static long before(ControlState state, String name, long epoch) {
    return state.plans(name).keySet().stream()
        .filter(other -> other < epoch)
        .max(Long::compare)
        .orElseThrow(() ->
            CommandFailure.failed(
                "%s has no plan before epoch %d".formatted(name, epoch),
                "`abacus plan list %s` shows its plans.".formatted(name)));
  }
}
