package dev.abacus.deploy.evaluation.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a chaos run.
 *
 * @param duration time with documents and events
 * @param seed of the events
 * @param brokers number of brokers, 1 or 3
 * @param workers number of workers in normal operation
 * @param optimizers number of optimizers
 * @param protocol group protocol of the workers, {@code classic} or {@code streams}
 * @param programs programs that run
 * @param rate documents per second and source
 * @param pause mean time between two events
 * @param events kinds of events that may happen
 * @param other class path of another version of the product, of which every second process that
 *     starts is; null if all are of this version
 * @param data folder of logs and data; null for a temporary one
 * @param slowness factor by which silence may be longer than on a quiet machine, at least 1
 */
record ChaosOptions(
    Duration duration,
    long seed,
    int brokers,
    int workers,
    int optimizers,
    String protocol,
    List<ChaosPrograms> programs,
    double rate,
    Duration pause,
    List<ChaosSchedule.Action> events,
    @Nullable String other,
    @Nullable Path data,
    int slowness) {

  static final int IN_FLIGHT = 40;

  /** Calls and receipts of a worker with that limit that a kill can lose. */
  static final int OPEN_CALLS = 56;

  static final int PARTITIONS = 2;
  static final int MOST_WORKERS = 3;

  ChaosOptions {
    programs = List.copyOf(programs);
    events = List.copyOf(events);
    if (brokers != 1 && brokers != 3) {
      throw new IllegalArgumentException("the number of brokers must be 1 or 3");
    }
    if (workers < 1 || workers > MOST_WORKERS || optimizers < 0 || rate <= 0) {
      throw new IllegalArgumentException(
          "workers must be 1 to 3, optimizers at least 0 and the rate above 0");
    }
    if (programs.isEmpty() || duration.isNegative() || !pause.isPositive()) {
      throw new IllegalArgumentException("a program and positive durations are needed");
    }
  }
}
