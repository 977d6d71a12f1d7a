package dev.abacus.deploy.command;

import dev.abacus.schemas.control.ControlRecord;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus resume}. */
@Command(
    name = "resume",
    description = "Let a paused program go on.",
    footer = {"%nExample:", "  abacus resume support-triage --bootstrap-server localhost:9092"})
final class ResumeCommand implements Runnable {

  @Mixin private ProgramName program = new ProgramName();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    var control = kafka.control(program.programs().catalogue());
    control.read().require(name);
    control.write(new ControlRecord.Paused(name, false));
    if (output.json()) {
      output.value(Map.of("program", name, "paused", false));
    } else {
      output.line(name + " goes on");
    }
  }
}
