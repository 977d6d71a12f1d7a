package dev.abacus.deploy.cli.plan;

import picocli.CommandLine.Command;

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
    footer = "  abacus plan show support-triage")
public final class PlanCommand {}
