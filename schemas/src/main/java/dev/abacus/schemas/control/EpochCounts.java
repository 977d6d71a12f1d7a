package dev.abacus.schemas.control;

/**
 * What one instance saw of the live documents of one epoch since it started. Sums of squares stand
 * beside sums, so that those of several instances can be added and intervals computed.
 *
 * @param documents done, dead letters included
 * @param failures dead letters among them
 * @param cost sum over all documents, in USD
 * @param costSquares sum of squares
 * @param latency sum over all documents, in seconds that operators took, without waiting
 * @param latencySquares sum of squares
 */
public record EpochCounts(
    long epoch,
    long documents,
    long failures,
    double cost,
    double costSquares,
    double latency,
    double latencySquares) {

  /** Nothing seen yet. */
  public static EpochCounts none(long epoch) {
    return new EpochCounts(epoch, 0, 0, 0, 0, 0, 0);
  }

  /** With one more document. */
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

  /** Both together; of the epoch of this one. */
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

  /** What came since an earlier reading of the same counters. */
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
