package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;

/**
 * Options of the swap benchmark.
 *
 * @param latency latency of each simulated model call; a document takes two calls
 * @param workers workers that share the documents, each with its own Kafka Streams client
 * @param inFlight documents in flight, over all workers
 * @param partitions partitions of the source topic
 * @param every interval between activations
 * @param phase duration of each phase: two without swaps, two with swaps, and one with swaps at
 *     half load
 */
public record SwapOptions(
    Duration latency, int workers, int inFlight, int partitions, Duration every, Duration phase) {

  public SwapOptions {
    if (!latency.isPositive() || !every.isPositive() || !phase.isPositive()) {
      throw new IllegalArgumentException("--latency, --every and --seconds must be above 0");
    }
    if (workers < 1 || inFlight < workers || partitions < workers) {
      throw new IllegalArgumentException(
          "--workers must be above 0, --in-flight and --partitions not below it");
    }
    if (every.compareTo(phase) > 0) {
      throw new IllegalArgumentException("--every must not be longer than --seconds");
    }
  }

  /** Returns the documents per second if only the calls take time. */
  double ideal() {
    return inFlight / (2 * latency.toNanos() / 1e9);
  }

  /** Returns the number of waiting documents at full load, so that workers never idle. */
  long backlog() {
    return Math.round(4.0 * inFlight + 2 * ideal());
  }
}
