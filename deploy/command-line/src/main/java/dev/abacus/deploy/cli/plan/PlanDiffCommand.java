package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanDifference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code abacus plan diff}. */
@Command(
    name = "diff",
    description =
        "Show the differences of two plans: implementations, order, objective and estimates.",
    footer = {"%nExample:", "  abacus plan diff support-triage 1 2"})
final class PlanDiffCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();

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

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlState state = program.control().read();
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
