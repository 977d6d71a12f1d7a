package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code abacus pause}. */
@Command(
    name = "pause",
    description =
        "Pause a program: no new calls start, calls in flight finish, no document is lost.",
    footer = "  abacus pause support-triage --bootstrap-server localhost:9092")
public final class PauseCommand extends ProgramCommand {

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    control.write(new ControlRecord.Paused(name, true));
    output.data(Map.of("program", name, "paused", true), name + " is paused");
  }
}
