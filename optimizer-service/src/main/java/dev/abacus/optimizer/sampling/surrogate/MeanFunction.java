package dev.abacus.optimizer.sampling.surrogate;

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

  double slopeVariance() {
    return slope * slope;
  }

  /**
   * Standardizes beliefs.
   *
   * @param raw NaN for arms without a belief
   * @return empty if there are no beliefs or all are equal
   */
  static double[] standardized(double[] raw) {
    double sum = 0;
    int n = 0;
    for (double x : raw) {
      if (!Double.isNaN(x)) {
        sum += x;
        n++;
      }
    }
    double mean = n == 0 ? 0 : sum / n;
    double squares = 0;
    for (double x : raw) {
      squares += Double.isNaN(x) ? 0 : (x - mean) * (x - mean);
    }
    double deviation = n < 2 ? 0 : Math.sqrt(squares / n);
    if (!(deviation > 1e-9 * Math.max(1e-9, Math.abs(mean)))) {
      return new double[0];
    }
    double[] standard = new double[raw.length];
    for (int i = 0; i < raw.length; i++) {
      standard[i] = Double.isNaN(raw[i]) ? 0 : (raw[i] - mean) / deviation;
    }
    return standard;
  }
}
