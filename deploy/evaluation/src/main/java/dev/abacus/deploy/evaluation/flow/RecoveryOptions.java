package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Options of the recovery benchmark: the kills and the load.
 *
 * @param takeovers takeovers to measure; empty for all
 * @param repetitions kills per takeover
 * @param latency latency of each simulated model call; a document takes two calls
 * @param inFlight documents in flight per worker
 * @param perSecond documents sent per second
 * @param partitions partitions of the source topic
 * @param before time during which documents flow before the kill
 * @param properties properties of all worker processes
 */
public record RecoveryOptions(
    Set<Takeover> takeovers,
    int repetitions,
    Duration latency,
    int inFlight,
    double perSecond,
    int partitions,
    Duration before,
    Map<String, String> properties) {

  /** The process that takes over after a kill. */
  public enum Takeover {
    /** The killed worker, restarted with its state directory. */
    RESTART,
    /** A new worker, started after the kill with an empty state directory. */
    REPLACEMENT,
    /** A second worker that ran from the start. */
    SURVIVOR;

    /** Returns the name as on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public RecoveryOptions {
    takeovers = takeovers.isEmpty() ? EnumSet.allOf(Takeover.class) : EnumSet.copyOf(takeovers);
    properties = Map.copyOf(properties);
    if (repetitions < 1 || inFlight < 1 || partitions < 1) {
      throw new IllegalArgumentException(
          "--repetitions, --in-flight and --partitions must be above 0");
    }
    if (!latency.isPositive() || !before.isPositive()) {
      throw new IllegalArgumentException("--latency and --before must be above 0");
    }
    double most = inFlight / (2 * latency.toNanos() / 1e9);
    if (!(perSecond > 0 && perSecond < most)) {
      throw new IllegalArgumentException(
          ("--rate must be above 0 and below %.0f, which is all that --in-flight and two calls of"
                  + " --latency allow")
              .formatted(most));
    }
  }
}
