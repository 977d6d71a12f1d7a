package dev.abacus.deploy.cli.plan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus plan}. */
@Command(
    name = "plan",
    description = "Show plans, and override the optimizer's choice.",
    subcommands = {
      PlanListCommand.class,
      PlanShowCommand.class,
      PlanDiffCommand.class,
      PlanActivateCommand.class,
      PlanRollbackCommand.class,
      PlanPinCommand.class,
      PlanUnpinCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {"%nExample:", "  abacus plan show support-triage"})
public final class PlanCommand implements Runnable {

  @Spec private @Nullable CommandSpec command;

  @Override
  public void run() {
    throw new ParameterException(Objects.requireNonNull(command).commandLine(), "which command?");
  }
}
