package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;

/** {@code abacus reoptimize}. */
@Command(
    name = "reoptimize",
    description = "Start a new round of sampling and search a new plan.",
    footer = "  abacus reoptimize support-triage --bootstrap-server localhost:9092")
public final class ReoptimizeCommand extends ProgramCommand {

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    String token = UUID.randomUUID().toString();
    control.write(new ControlRecord.Reoptimize(name, token));
    output.data(Map.of("program", name, "token", token), name + ": a new round is asked for");
  }
}
