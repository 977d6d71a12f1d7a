package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus reoptimize}. */
@Command(
    name = "reoptimize",
    description = "Start a new round of sampling and search a new plan.",
    footer = {"%nExample:", "  abacus reoptimize support-triage --bootstrap-server localhost:9092"})
public final class ReoptimizeCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    control.read().require(name);
    String token = UUID.randomUUID().toString();
    control.write(new ControlRecord.Reoptimize(name, token));
    output.data(Map.of("program", name, "token", token), name + ": a new round is asked for");
  }
}
