package dev.abacus.deploy.command;

import dev.abacus.deploy.operate.ControlState;
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
      "Take a program out of desired state; workers stop it. Its topics and its plans stay, so that",
      "it can be applied again and no epoch is ever given twice."
    },
    footer = {"%nExample:", "  abacus remove support-triage --bootstrap-server localhost:9092"})
final class RemoveCommand implements Runnable {

  @Mixin private ProgramName program = new ProgramName();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    var control = kafka.control(program.programs().catalogue());
    ControlState state = control.read();
    state.require(name);
    List<ControlKey> keys = new ArrayList<>();
    for (ControlKey key : state.records().keySet()) {
      if (key.program().equals(name) && !(key instanceof ControlKey.PlanKey)) {
        keys.add(key);
      }
    }
    control.remove(keys);
    if (output.json()) {
      output.value(Map.of("removed", name));
    } else {
      output.line(name + " is removed");
    }
  }
}
