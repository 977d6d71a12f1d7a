package dev.abacus.schemas.control;

/**
 * Counters of one instance for the live documents of one epoch, since the instance started. Sums of
 * squares allow adding instances and computing confidence intervals.
 *
 * @param documents finished documents, including dead letters
 * @param failures dead letters
 * @param cost sum of the costs, in USD
 * @param costSquares sum of the squared costs
 * @param latency sum of the times that operators took, without waiting, in seconds
 * @param latencySquares sum of the squared latencies
 */
public record EpochCounts(
    long epoch,
    long documents,
    long failures,
    double cost,
    double costSquares,
    double latency,
    double latencySquares) {

  /** Counters of no documents. */
  public static EpochCounts none(long epoch) {
    return new EpochCounts(epoch, 0, 0, 0, 0, 0, 0);
  }

  /** Adds a document. */
  public EpochCounts with(double documentCost, double documentLatency, boolean failed) {
    return plus(
        new EpochCounts(
            epoch,
            1,
            failed ? 1 : 0,
            documentCost,
            documentCost * documentCost,
            documentLatency,
            documentLatency * documentLatency));
  }

  /** Adds other counters, under the epoch of these. */
  public EpochCounts plus(EpochCounts other) {
    return new EpochCounts(
        epoch,
        documents + other.documents,
        failures + other.failures,
        cost + other.cost,
        costSquares + other.costSquares,
        latency + other.latency,
        latencySquares + other.latencySquares);
  }

  /** The increase since an earlier reading of the same counters. */
  public EpochCounts minus(EpochCounts earlier) {
    return new EpochCounts(
        epoch,
        documents - earlier.documents,
        failures - earlier.failures,
        cost - earlier.cost,
        costSquares - earlier.costSquares,
        latency - earlier.latency,
        latencySquares - earlier.latencySquares);
  }
}
