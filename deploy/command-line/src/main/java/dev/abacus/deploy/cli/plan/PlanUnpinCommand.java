package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlKey;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code abacus plan unpin}. */
@Command(
    name = "unpin",
    description = "Remove the pin of an operator.",
    footer = {"%nExample:", "  abacus plan unpin support-triage classify"})
final class PlanUnpinCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();

  @Parameters(index = "1", paramLabel = "OPERATOR", description = "Id of the operator.")
  private String operator = "";

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    ControlState state = control.read();
    state.require(name);
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
