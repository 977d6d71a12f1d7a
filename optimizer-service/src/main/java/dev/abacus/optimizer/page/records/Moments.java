package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.plan.Range;

/**
 * Sums of measurements.
 *
 * @param count number of measurements
 * @param sum of the measurements
 * @param squares sum of their squares
 */
public record Moments(long count, double sum, double squares) {

  /** No measurements. */
  public static final Moments NONE = new Moments(0, 0, 0);

  Moments with(double value) {
    return new Moments(count + 1, sum + value, squares + value * value);
  }

  /**
   * The mean with its 95 % interval ({@link Range#ofMean(long, double, double)}).
   *
   * @param least lower limit of the measured amount
   * @param most upper limit of the measured amount
   * @throws IllegalStateException if there is no measurement
   */
  public Range range(double least, double most) {
    if (count == 0) {
      throw new IllegalStateException("no measurement");
    }
    return Range.ofMean(count, sum, squares).clipped(least, most);
  }
}
