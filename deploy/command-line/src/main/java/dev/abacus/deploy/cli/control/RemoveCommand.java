package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus remove}. */
@Command(
    name = "remove",
    description = {
      "Remove a program: workers stop it. Its topics and plans stay, so",
      "it can be applied again, and no epoch is reused."
    },
    footer = {"%nExample:", "  abacus remove support-triage --bootstrap-server localhost:9092"})
public final class RemoveCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    ControlState state = control.read();
    state.require(name);
    List<ControlKey> keys = new ArrayList<>();
    for (ControlKey key : state.records().keySet()) {
      if (key.program().equals(name) && !(key instanceof ControlKey.PlanKey)) {
        keys.add(key);
      }
    }
    control.remove(keys);
    output.data(Map.of("removed", name), name + " is removed");
  }
}
