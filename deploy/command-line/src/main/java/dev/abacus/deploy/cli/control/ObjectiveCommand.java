package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus objective}. */
@Command(
    name = "objective",
    description = "Show or change a program's objective, while documents flow.",
    footer =
        "  abacus objective support-triage \"minimize cost subject to quality >= 0.8, latency <= 5s\"")
public final class ObjectiveCommand extends ProgramCommand {

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OBJECTIVE",
      description = "The new objective; omit it to show the current one.")
  private @Nullable Objective wanted;

  @Option(names = "--clear", description = "Return to the program's own objective.")
  private boolean clear;

  @Override
  protected void check() {
    if (clear && wanted != null) {
      throw CommandFailure.invalid(
          "--clear cannot be combined with an objective", "Give one of the two.");
    }
  }

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    Objective now = wanted;
    if (clear) {
      control.remove(List.of(new ControlKey.ObjectiveKey(name)));
      now = applied.objective();
    } else if (now != null) {
      control.write(new ControlRecord.ObjectiveSet(name, now));
    } else {
      now = state.objective(applied);
    }
    output.data(
        Map.of("program", name, "objective", now, "text", now.toString()), name + ": " + now);
  }
}
