package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus pause}. */
@Command(
    name = "pause",
    description =
        "Pause a program: no new calls start, calls in flight finish, no document is lost.",
    footer = {"%nExample:", "  abacus pause support-triage --bootstrap-server localhost:9092"})
public final class PauseCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    control.read().require(name);
    control.write(new ControlRecord.Paused(name, true));
    output.data(Map.of("program", name, "paused", true), name + " is paused");
  }
}
