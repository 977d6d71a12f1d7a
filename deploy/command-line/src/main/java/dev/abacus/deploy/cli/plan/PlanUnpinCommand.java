package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code abacus plan unpin}. */
@Command(
    name = "unpin",
    description = "Remove the pin of an operator.",
    footer = "  abacus plan unpin support-triage classify")
final class PlanUnpinCommand extends ProgramCommand {

  @Parameters(index = "1", paramLabel = "OPERATOR", description = "Id of the operator.")
  private String operator = "";

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    if (!state.pins(name).containsKey(operator)) {
      throw CommandFailure.failed(
          "no operator '%s' of %s is pinned".formatted(operator, name),
          state.pins(name).isEmpty()
              ? "None is pinned."
              : "Pinned are " + String.join(", ", state.pins(name).keySet()) + ".");
    }
    control.remove(List.of(new ControlKey.PinKey(name, operator)));
    output.data(
        Map.of("program", name, "unpinned", operator), "%s: %s is free".formatted(name, operator));
  }
}
