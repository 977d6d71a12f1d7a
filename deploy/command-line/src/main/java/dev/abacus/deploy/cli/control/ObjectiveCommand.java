package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.ObjectiveText;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus objective}. */
@Command(
    name = "objective",
    description = "Show or change a program's objective, while documents flow.",
    footer = {
      "%nExample:",
      "  abacus objective support-triage \"minimize cost subject to quality >= 0.8, latency <= 5s\""
    })
public final class ObjectiveCommand implements Runnable {

  @Mixin private AppliedProgram program = new AppliedProgram();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OBJECTIVE",
      description = "The new objective; omit it to show the current one.")
  private @Nullable String wanted;

  @Option(names = "--clear", description = "Return to the program's own objective.")
  private boolean clear;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Objective objective = wanted == null ? null : ObjectiveText.parse(wanted);
    String name = program.name();
    ControlTopic control = program.control();
    var state = control.read();
    Program applied = state.require(name);
    if (clear) {
      control.remove(List.of(new ControlKey.ObjectiveKey(name)));
      objective = applied.objective();
    } else if (objective != null) {
      control.write(new ControlRecord.ObjectiveSet(name, objective));
    } else {
      objective = state.objective(applied);
    }
    output.data(
        Map.of("program", name, "objective", objective, "text", objective.toString()),
        name + ": " + objective);
  }
}
