package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench chaos}. */
@Command(
    name = "chaos",
    description = {
      "Run programs while workers, optimizers and brokers are killed, stopped and restarted, the",
      "provider fails and plans change, and judge the guarantees of docs/guarantees.md. Processes run",
      "in separate JVMs; models are simulated. Ends with exit code 1 if a guarantee is violated."
    },
    footer = "  abacus bench chaos --minutes 30 --seed 7")
public final class ChaosCommand extends BenchmarkCommand<ChaosReport> {

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description = "Time with events, in minutes (default: ${DEFAULT-VALUE}).")
  private double minutes = 5;

  @Option(names = "--seed", description = "Seed of the events (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--brokers",
      description = "Number of brokers, 1 or 3 (default: ${DEFAULT-VALUE}).")
  private int brokers = 3;

  @Option(
      names = "--workers",
      description = "Number of workers, 1 to 3 (default: ${DEFAULT-VALUE}).")
  private int workers = 2;

  @Option(names = "--optimizers", description = "Number of optimizers (default: ${DEFAULT-VALUE}).")
  private int optimizers = 1;

  @Option(
      names = "--protocol",
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
      description =
          "Kinds of events: ${COMPLETION-CANDIDATES} (default: all; the only broker is not killed).")
  private List<ChaosSchedule.Action> events = List.of();

  @Option(
      names = "--other",
      paramLabel = "JARS",
      description =
          "Class path of another version, such as 'abacus-0.1.0/lib/*': every second worker or optimizer that starts is of it.")
  private @Nullable String other;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for logs, data and history.json; default: a temporary one.")
  private @Nullable Path data;

  @Override
  protected void check() {
    var _ = options();
  }

  private ChaosOptions options() {
    // Nothing is guaranteed after the loss of all replicas.
    EnumSet<ChaosSchedule.Action> safe =
        brokers == 1
            ? EnumSet.complementOf(EnumSet.of(ChaosSchedule.Action.KILL_BROKER))
            : EnumSet.allOf(ChaosSchedule.Action.class);
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
        events.isEmpty() ? List.copyOf(safe) : events,
        other,
        data,
        1);
  }

  @Override
  protected ChaosReport measure() throws IOException {
    return ChaosRun.run(options(), this::step);
  }

  @Override
  protected void print(ChaosReport report) {
    line(
        "seed %d: %d documents, %d outputs, %d answers, %s",
        report.seed(), report.documents(), report.outputs(), report.calls(), report.incidents());
    line("plans with what documents taught: %s", report.taught());
    report.verdicts().forEach(verdict -> line("%s", verdict.line()));
  }

  @Override
  protected @Nullable String violation(ChaosReport report) {
    return report.holds() ? null : "a guarantee was violated (--data DIR keeps the logs)";
  }
}
