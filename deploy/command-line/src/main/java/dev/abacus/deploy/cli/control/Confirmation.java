package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of commands that remove data. */
final class Confirmation {

  @Option(names = "--dry-run", description = "Print what would change, and change nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do it; without it, the command prints what it would do.")
  private boolean yes;

  /** Whether one of the options is given. */
  boolean isGiven() {
    return dryRun || yes;
  }

  /**
   * Prints what would change unless the user has confirmed it.
   *
   * @return whether to do it
   * @throws CommandFailure if neither option is given
   */
  boolean confirm(Output output, String verb, String program, List<String> lines) {
    if (yes && !dryRun) {
      return true;
    }
    List<String> text = new ArrayList<>(List.of("%s of %s would:".formatted(verb, program)));
    lines.forEach(line -> text.add("  " + line));
    output.data(Map.of(verb, program, "changes", lines, "dryRun", true), text);
    if (!dryRun) {
      throw CommandFailure.invalid("nothing was changed", "Give --yes to do it.");
    }
    return false;
  }
}
