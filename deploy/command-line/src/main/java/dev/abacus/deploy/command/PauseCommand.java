package dev.abacus.deploy.command;

import dev.abacus.schemas.control.ControlRecord;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus pause}. */
@Command(
    name = "pause",
    description =
        "Stop starting new calls of a program; what is under way is finished, nothing is lost.",
    footer = {"%nExample:", "  abacus pause support-triage --bootstrap-server localhost:9092"})
final class PauseCommand implements Runnable {

  @Mixin private ProgramName program = new ProgramName();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    var control = kafka.control(program.programs().catalogue());
    control.read().require(name);
    control.write(new ControlRecord.Paused(name, true));
    if (output.json()) {
      output.value(Map.of("program", name, "paused", true));
    } else {
      output.line(name + " is paused");
    }
  }
}
