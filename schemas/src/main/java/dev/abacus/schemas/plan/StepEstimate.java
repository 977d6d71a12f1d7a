package dev.abacus.schemas.plan;

/**
 * The estimates of one implementation of one operator and their confidence.
 *
 * @param samples number of observations of this implementation
 * @param quality in [0, 1]
 * @param cost USD per input
 * @param latency seconds per input
 * @param selectivity outputs per input
 */
public record StepEstimate(
    int samples, Range quality, Range cost, Range latency, double selectivity) {

  public StepEstimate {
    if (samples < 0) {
      throw new IllegalArgumentException("samples " + samples + " must not be negative");
    }
  }

  /** The means over inputs of which a share, in [0, 1], meets another implementation. */
  StepEstimate mixedWith(StepEstimate other, double share) {
    return new StepEstimate(
        Math.min(samples, other.samples),
        Range.sum(1 - share, quality, share, other.quality),
        Range.sum(1 - share, cost, share, other.cost),
        Range.sum(1 - share, latency, share, other.latency),
        (1 - share) * selectivity + share * other.selectivity);
  }
}
