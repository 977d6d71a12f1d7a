package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/**
 * The prior mean of arms: a constant, what is known of each arm, and a linear function of beliefs.
 * The standard deviation of the slope equals the slope, so that measurements can cancel or invert
 * misleading beliefs.
 *
 * @param centre mean of arms without a belief
 * @param slope change of the mean by one standard deviation of belief
 * @param beliefs of every arm, with mean 0 and standard deviation 1; 0 for arms without a belief;
 *     empty if no arm has one
 * @param offsets by which the means of arms are known to differ; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MeanFunction(double centre, double slope, double[] beliefs, double[] offsets) {

  double of(int arm) {
    return centre + slope * belief(arm) + (offsets.length == 0 ? 0 : offsets[arm]);
  }

  double belief(int arm) {
    return beliefs.length == 0 ? 0 : beliefs[arm];
  }

  /**
   * Standardizes beliefs.
   *
   * @param raw NaN for arms without a belief
   * @return empty if there are no beliefs or all are equal
   */
  static double[] standardized(double[] raw) {
    double[] known = Arrays.stream(raw).filter(x -> !Double.isNaN(x)).toArray();
    double mean = Arrays.stream(known).average().orElse(0);
    double variance = Arrays.stream(known).map(x -> (x - mean) * (x - mean)).average().orElse(0);
    double deviation = Math.sqrt(variance);
    return deviation > 1e-9 * Math.max(1e-9, Math.abs(mean))
        ? Arrays.stream(raw).map(x -> Double.isNaN(x) ? 0 : (x - mean) / deviation).toArray()
        : new double[0];
  }
}
