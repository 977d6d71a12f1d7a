package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.chaos.judge.Judge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a chaos run. */
final class ChaosOptions {

  static final int IN_FLIGHT = 40;

  /** Calls and receipts of a worker with that limit that a kill can lose. */
  static final int OPEN_CALLS = 56;

  static final int PARTITIONS = 2;
  static final int MOST_WORKERS = 3;

  /** Time after which the controller has removed a killed broker from the replicas in sync. */
  private static final long OUTAGE_MILLIS = 20_000;

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description = "Time with events, in minutes (default: ${DEFAULT-VALUE}).")
  private double minutes = 5;

  @Option(names = "--seed", description = "Seed of the events (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--brokers",
      description = "Number of brokers, 1 or 3 (default: ${DEFAULT-VALUE}).")
  int brokers = 3;

  /** Workers in normal operation. */
  @Option(
      names = "--workers",
      description = "Number of workers, 1 to 3 (default: ${DEFAULT-VALUE}).")
  int workers = 2;

  @Option(names = "--optimizers", description = "Number of optimizers (default: ${DEFAULT-VALUE}).")
  int optimizers = 1;

  @Option(
      names = "--protocol",
      description =
          "Group protocol of the workers, classic or streams (default: ${DEFAULT-VALUE}).")
  String protocol = "classic";

  @Option(
      names = "--programs",
      split = ",",
      description = "Programs to run: ${COMPLETION-CANDIDATES} (default: all).")
  List<ChaosPrograms> programs = List.of(ChaosPrograms.values());

  @Option(
      names = "--rate",
      defaultValue = "4",
      description = "Documents per second and source (default: ${DEFAULT-VALUE}).")
  double rate = 4;

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

  /** Null if all processes are of this version. */
  @Option(
      names = "--other",
      paramLabel = "JARS",
      description =
          "Class path of another version, such as 'abacus-0.1.0/lib/*': every second worker or optimizer that starts is of it.")
  @Nullable String other;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for logs, data and history.json; default: a temporary one.")
  @Nullable Path data;

  /** Factor by which silence may be longer than on a quiet machine, at least 1. */
  int slowness = 1;

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  void check() {
    if (brokers != 1 && brokers != 3) {
      throw new IllegalArgumentException("the number of brokers must be 1 or 3");
    }
    if (workers < 1 || workers > MOST_WORKERS || optimizers < 0 || rate <= 0) {
      throw new IllegalArgumentException(
          "workers must be 1 to 3, optimizers at least 0 and the rate above 0");
    }
    if (programs.isEmpty() || duration().isNegative() || !pause().isPositive()) {
      throw new IllegalArgumentException("a program and positive durations are needed");
    }
  }

  /** Time with documents and events. */
  Duration duration() {
    return Duration.ofMillis((long) (minutes * 60_000));
  }

  /** Mean time between two events. */
  Duration pause() {
    return Duration.ofMillis((long) (pause * 1000));
  }

  /** The kinds of events that may happen; nothing is guaranteed after the loss of all replicas. */
  List<ChaosSchedule.Action> events() {
    return events.isEmpty()
        ? Arrays.stream(ChaosSchedule.Action.values())
            .filter(action -> brokers > 1 || action != ChaosSchedule.Action.KILL_BROKER)
            .toList()
        : events;
  }

  /** The judge of a run with these options. */
  Judge judge() {
    return new Judge(
        ChaosPrograms.shapes(programs),
        new Judge.Limits(
            1_000,
            1_000,
            OUTAGE_MILLIS,
            0.002,
            IN_FLIGHT * MOST_WORKERS,
            OPEN_CALLS,
            15_000L * slowness,
            Fleet.SESSION_MILLIS + 15_000L * slowness,
            ChaosPrograms.caps(programs, rate),
            ChaosPrograms.draws(programs)));
  }
}
