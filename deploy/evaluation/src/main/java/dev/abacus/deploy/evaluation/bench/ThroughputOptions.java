package dev.abacus.deploy.evaluation.bench;

import java.time.Duration;

/**
 * What to measure.
 *
 * @param latency of each simulated model call
 * @param inFlight documents worked on at once
 * @param documents that are put through
 * @param partitions of the source topic
 * @param synchronousFor how long the synchronous processor is measured; zero leaves it out
 * @param overHttp whether calls go over HTTP to the simulated endpoint in this process, rather than
 *     to a client that only waits
 */
public record ThroughputOptions(
    Duration latency,
    int inFlight,
    int documents,
    int partitions,
    Duration synchronousFor,
    boolean overHttp) {

  public ThroughputOptions {
    if (!latency.isPositive() || inFlight < 1 || documents < 1 || partitions < 1) {
      throw new IllegalArgumentException(
          "latency, in-flight, documents and partitions must be above 0");
    }
  }

  /** Documents per second if nothing but the calls took time. */
  public double ideal() {
    return inFlight / (latency.toNanos() / 1e9);
  }
}
