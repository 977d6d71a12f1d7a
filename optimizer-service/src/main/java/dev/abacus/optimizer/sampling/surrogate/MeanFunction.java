package dev.abacus.optimizer.sampling.surrogate;

/**
 * What is expected of an arm before any reading: a centre, and a line over what is believed of it.
 * The slope may be off by as much as it is, so that readings can make nothing of a belief, or turn
 * it round.
 */
final class MeanFunction {

  private final double centre;
  private final double slope;
  private final double[] beliefs;

  /**
   * A line.
   *
   * @param centre of arms of which nothing is believed
   * @param slope what one standard deviation of belief adds
   * @param beliefs of every arm, with mean 0 and standard deviation 1; 0 where nothing is believed;
   *     empty if nothing is believed of any
   */
  MeanFunction(double centre, double slope, double[] beliefs) {
    this.centre = centre;
    this.slope = slope;
    this.beliefs = beliefs.clone();
  }

  double of(int arm) {
    return centre + slope * belief(arm);
  }

  double belief(int arm) {
    return beliefs.length == 0 ? 0 : beliefs[arm];
  }

  double slopeVariance() {
    return slope * slope;
  }

  /**
   * Beliefs in standard form.
   *
   * @param raw NaN where nothing is believed
   * @return empty if nothing is believed, or the same of all
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
