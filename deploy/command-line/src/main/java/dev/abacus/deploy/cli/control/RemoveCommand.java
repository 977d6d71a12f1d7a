package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.ProgramPurge;
import dev.abacus.schemas.control.ControlKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus remove}. */
@Command(
    name = "remove",
    description = {
      "Remove a program: workers stop it.",
      "Its topics and plans stay, so it can be applied again, and no epoch is reused. With "
          + "--purge, they go too."
    },
    footer = {
      "  abacus remove support-triage --bootstrap-server localhost:9092",
      "  abacus remove support-triage --purge --dry-run"
    })
public final class RemoveCommand implements Runnable {

  @Option(
      names = "--purge",
      description =
          "Also delete its internal topics, groups, plans, samples, dead letters and "
              + "measurements; never sources, references and results.")
  private boolean purge;

  @Mixin private Confirmation confirmation = new Confirmation();
  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    String name = program.name();
    ControlTopic control = program.control();
    ControlState state = control.read();
    if (purge) {
      purge(name, control, state);
      return;
    }
    CommandFailure.require(
        !confirmation.isGiven(),
        "--yes and --dry-run belong to --purge",
        "Omit them, or give --purge.");
    state.require(name);
    List<ControlKey> keys = new ArrayList<>();
    for (ControlKey key : state.records().keySet()) {
      if (key.program().equals(name) && !(key instanceof ControlKey.PlanKey)) {
        keys.add(key);
      }
    }
    control.remove(keys);
    output.data(Map.of("removed", name), name + " is removed");
  }

  private void purge(String name, ControlTopic control, ControlState state) {
    ProgramPurge found = ProgramPurge.of(program.connection(), state, name);
    List<String> lines = found.lines();
    if (confirmation.confirm(output, "purge", name, lines)) {
      found.apply(program.connection(), control, state);
      output.data(
          Map.of("removed", name, "changes", lines), name + " is removed with all its data");
    }
  }
}
