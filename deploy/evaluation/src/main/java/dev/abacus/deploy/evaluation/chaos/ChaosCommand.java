package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code abacus bench chaos}. */
@Command(
    name = "chaos",
    description = {
      "Run programs while workers, optimizers and brokers are killed, stopped and restarted, the",
      "provider fails and plans change, and judge the guarantees of docs/guarantees.md. Processes run",
      "in separate JVMs; models are simulated. Ends with exit code 1 if a guarantee is violated."
    },
    footer = {"%nExample:", "  abacus bench chaos --minutes 30 --seed 7"})
public final class ChaosCommand implements Runnable {

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description = "Time with events, in minutes (default: ${DEFAULT-VALUE}).")
  private double minutes = 5;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the events (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--brokers",
      defaultValue = "3",
      description = "Number of brokers, 1 or 3 (default: ${DEFAULT-VALUE}).")
  private int brokers = 3;

  @Option(
      names = "--workers",
      defaultValue = "2",
      description = "Number of workers, 1 to 3 (default: ${DEFAULT-VALUE}).")
  private int workers = 2;

  @Option(
      names = "--optimizers",
      defaultValue = "1",
      description = "Number of optimizers (default: ${DEFAULT-VALUE}).")
  private int optimizers = 1;

  @Option(
      names = "--protocol",
      defaultValue = "classic",
      description =
          "Group protocol of the workers, classic or streams (default: ${DEFAULT-VALUE}).")
  private String protocol = "classic";

  @Option(
      names = "--programs",
      split = ",",
      description = "Programs to run: ${COMPLETION-CANDIDATES} (default: all).")
  private List<ChaosPrograms> programs = List.of(ChaosPrograms.values());

  @Option(
      names = "--rate",
      defaultValue = "4",
      description = "Documents per second and source (default: ${DEFAULT-VALUE}).")
  private double rate = 4;

  @Option(
      names = "--pause",
      defaultValue = "12",
      description = "Mean seconds between two events (default: ${DEFAULT-VALUE}).")
  private double pause = 12;

  @Option(
      names = "--events",
      split = ",",
      description = "Kinds of events: ${COMPLETION-CANDIDATES} (default: all).")
  private List<ChaosSchedule.Action> events = List.of(ChaosSchedule.Action.values());

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for logs, data and history.json; default: a temporary one.")
  private @Nullable Path data;

  @Mixin private Output output = new Output();

  @Spec private @Nullable CommandSpec spec;

  /** Used by picocli. */
  public ChaosCommand() {}

  @Override
  public void run() {
    ChaosReport report;
    try {
      report = new ChaosRun(options(), event -> output.note("  " + event)).run();
    } catch (IOException e) {
      throw CommandFailure.failed(
          "the simulated models cannot start: " + e.getMessage(), "Check the loopback network.", e);
    }
    if (output.json()) {
      output.value(report);
    } else {
      output.line(
          "seed %d: %d documents, %d outputs, %d answers, %s"
              .formatted(
                  report.seed(),
                  report.documents(),
                  report.outputs(),
                  report.calls(),
                  report.incidents()));
      report.verdicts().stream().map(Verdict::line).forEach(output::line);
    }
    if (!report.holds()) {
      throw CommandFailure.failed(
          "a guarantee was violated",
          "This is a bug; please report it with the seed and the logs (--data DIR keeps them).");
    }
  }

  private ChaosOptions options() {
    try {
      return new ChaosOptions(
          Duration.ofMillis((long) (minutes * 60_000)),
          seed,
          brokers,
          workers,
          optimizers,
          protocol,
          programs,
          rate,
          Duration.ofMillis((long) (pause * 1000)),
          events,
          Duration.ofMinutes(5),
          data,
          1);
    } catch (IllegalArgumentException e) {
      if (spec == null) {
        throw e;
      }
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
