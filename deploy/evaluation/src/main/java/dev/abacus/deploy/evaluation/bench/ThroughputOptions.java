package dev.abacus.deploy.evaluation.bench;

import java.time.Duration;

/**
 * Options of the throughput benchmark.
 *
 * @param latency latency of each simulated model call
 * @param inFlight documents in flight
 * @param documents number of documents
 * @param partitions partitions of the source topic
 * @param synchronousFor duration of the synchronous baseline; zero skips it
 * @param overHttp whether calls go over HTTP to the simulated endpoint in this process; otherwise a
 *     client only waits
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

  /** Returns the documents per second if only the calls take time. */
  public double ideal() {
    return inFlight / (latency.toNanos() / 1e9);
  }
}
