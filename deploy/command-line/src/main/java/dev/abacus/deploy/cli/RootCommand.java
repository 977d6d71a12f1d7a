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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin final LogSettings log = new LogSettings();
}
