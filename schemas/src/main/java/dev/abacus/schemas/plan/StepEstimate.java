package dev.abacus.schemas.plan;

/**
 * How sure a search was of one implementation of one operator.
 *
 * @param samples observations of this very implementation
 * @param quality in [0, 1]
 * @param cost USD per input
 * @param latency seconds per input
 * @param selectivity outputs per input
 */
public record StepEstimate(
    int samples, Range quality, Range cost, Range latency, double selectivity) {

  public StepEstimate {
    if (samples < 0) {
      throw new IllegalArgumentException(samples + " samples");
    }
  }
}
