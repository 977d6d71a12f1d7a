package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.CommandExtension;
import dev.abacus.deploy.evaluation.chaos.ChaosCommand;
import dev.abacus.deploy.evaluation.flow.IdleCommand;
import dev.abacus.deploy.evaluation.flow.LimitsCommand;
import dev.abacus.deploy.evaluation.flow.RecoveryCommand;
import dev.abacus.deploy.evaluation.flow.SwapCommand;
import dev.abacus.deploy.evaluation.learning.LearningCommand;
import dev.abacus.deploy.evaluation.price.PriceCommand;
import dev.abacus.deploy.evaluation.sembench.SemBenchCommand;
import picocli.CommandLine.Command;

/** {@code abacus bench}. */
@Command(
    name = "bench",
    description = "Run benchmarks with simulated model calls or none.",
    subcommands = {
      ThroughputCommand.class,
      GrowthCommand.class,
      PlanSearchCommand.class,
      SwapCommand.class,
      RecoveryCommand.class,
      IdleCommand.class,
      LimitsCommand.class,
      LearningCommand.class,
      PriceCommand.class,
      SemBenchCommand.class,
      ChaosCommand.class
    },
    footer = "  abacus bench throughput -o json")
public final class BenchCommand implements CommandExtension {}
