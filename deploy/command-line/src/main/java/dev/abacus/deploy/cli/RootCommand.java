package dev.abacus.deploy.cli;

import dev.abacus.deploy.cli.control.AnswersCommand;
import dev.abacus.deploy.cli.control.ApplyCommand;
import dev.abacus.deploy.cli.control.BudgetCommand;
import dev.abacus.deploy.cli.control.CostCommand;
import dev.abacus.deploy.cli.control.DeadLettersCommand;
import dev.abacus.deploy.cli.control.ObjectiveCommand;
import dev.abacus.deploy.cli.control.PauseCommand;
import dev.abacus.deploy.cli.control.RemoveCommand;
import dev.abacus.deploy.cli.control.ReoptimizeCommand;
import dev.abacus.deploy.cli.control.ResetCommand;
import dev.abacus.deploy.cli.control.ResumeCommand;
import dev.abacus.deploy.cli.control.StatusCommand;
import dev.abacus.deploy.cli.control.TopicsCommand;
import dev.abacus.deploy.cli.plan.EstimateCommand;
import dev.abacus.deploy.cli.plan.ExplainCommand;
import dev.abacus.deploy.cli.plan.PlanCommand;
import dev.abacus.deploy.cli.plan.PriorsCommand;
import dev.abacus.deploy.cli.plan.SearchCommand;
import dev.abacus.deploy.cli.replay.ReplayCommand;
import dev.abacus.deploy.cli.run.DemoCommand;
import dev.abacus.deploy.cli.run.InitCommand;
import dev.abacus.deploy.cli.run.OptimizerCommand;
import dev.abacus.deploy.cli.run.RunCommand;
import dev.abacus.deploy.cli.run.UpCommand;
import dev.abacus.deploy.cli.run.ValidateCommand;
import dev.abacus.deploy.cli.run.WorkerCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code abacus}: lists the commands. */
@Command(
    name = "abacus",
    description =
        "Semantic operators over Kafka topics, with an optimizer that chooses their implementations.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    version = "abacus 0.1.0-SNAPSHOT",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      RunCommand.class,
      InitCommand.class,
      ValidateCommand.class,
      ExplainCommand.class,
      EstimateCommand.class,
      ApplyCommand.class,
      RemoveCommand.class,
      ResetCommand.class,
      StatusCommand.class,
      PlanCommand.class,
      ReplayCommand.class,
      CostCommand.class,
      ObjectiveCommand.class,
      BudgetCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      ReoptimizeCommand.class,
      DeadLettersCommand.class,
      TopicsCommand.class,
      AnswersCommand.class,
      WorkerCommand.class,
      OptimizerCommand.class,
      SearchCommand.class,
      PriorsCommand.class,
      CompletionCommand.class
    },
    footerHeading = "%nExample:%n",
    footer = "  abacus demo")
final class RootCommand {

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show more logs, and stack traces of failures.")
  boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Log warnings and errors only.")
  @SuppressWarnings("UnusedVariable") // LogSettings reads it before the options are parsed.
  private boolean quiet;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      scope = ScopeType.INHERIT,
      description =
          "Log to standard error from this level: ${COMPLETION-CANDIDATES} (ABACUS_LOG_LEVEL).")
  @SuppressWarnings("UnusedVariable") // LogSettings reads it before the options are parsed.
  private LogSettings.@Nullable Level logLevel;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "Form of the log: ${COMPLETION-CANDIDATES} (ABACUS_LOG_FORMAT).")
  @SuppressWarnings("UnusedVariable") // LogSettings reads it before the options are parsed.
  private LogSettings.@Nullable Format logFormat;
}
