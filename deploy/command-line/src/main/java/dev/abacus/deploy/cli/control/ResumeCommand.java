package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code abacus resume}. */
@Command(
    name = "resume",
    description = "Resume a paused program.",
    footer = "  abacus resume support-triage --bootstrap-server localhost:9092")
public final class ResumeCommand extends ProgramCommand {

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    control.write(new ControlRecord.Paused(name, false));
    output.data(Map.of("program", name, "paused", false), name + " goes on");
  }
}
