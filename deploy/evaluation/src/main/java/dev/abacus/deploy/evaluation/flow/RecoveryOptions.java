package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What is killed, and under which load.
 *
 * @param takeovers who goes on
 * @param repetitions kills of each kind
 * @param latency of each simulated model call; a document takes two
 * @param inFlight documents that a worker works on at once
 * @param perSecond documents sent per second
 * @param partitions of the source topic
 * @param before how long documents flow before the kill
 * @param properties of the processes that are killed and of those that take over
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

  /** Who goes on when a process was killed. */
  public enum Takeover {
    /** The same worker, started again with its state directory. */
    RESTART,
    /** Another worker, started after the kill with an empty state directory. */
    REPLACEMENT,
    /** Another worker, which ran beside it all the time. */
    SURVIVOR,
    /** An optimizer that stood by while another one led. */
    OPTIMIZER;

    /** As on the command line. */
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
