package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;

/**
 * How plans are swapped.
 *
 * @param latency of each simulated model call; a document takes two
 * @param inFlight documents worked on at once
 * @param partitions of the source topic
 * @param every how often another plan is activated
 * @param phase how long each phase is measured: two without swaps, two with, one with swaps at half
 *     the load
 */
public record SwapOptions(
    Duration latency, int inFlight, int partitions, Duration every, Duration phase) {

  public SwapOptions {
    if (!latency.isPositive() || !every.isPositive() || !phase.isPositive()) {
      throw new IllegalArgumentException("--latency, --every and --seconds must be above 0");
    }
    if (inFlight < 1 || partitions < 1) {
      throw new IllegalArgumentException("--in-flight and --partitions must be above 0");
    }
    if (every.compareTo(phase) > 0) {
      throw new IllegalArgumentException("--every must not be longer than --seconds");
    }
  }

  /** Documents per second if nothing but the calls took time. */
  double ideal() {
    return inFlight / (2 * latency.toNanos() / 1e9);
  }

  /** Documents that wait on the source topic under full load, so that it never runs dry. */
  long backlog() {
    return Math.round(4.0 * inFlight + 2 * ideal());
  }
}
