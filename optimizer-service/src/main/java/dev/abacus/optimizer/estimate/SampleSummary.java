package dev.abacus.optimizer.estimate;

/**
 * Summary statistics of observed values.
 *
 * @param count at least 1
 * @param deviation standard deviation of the sample (divisor {@code count - 1}); 0 for one value
 */
public record SampleSummary(int count, double mean, double deviation) {

  /** Summarizes values in this order; the same order gives the same doubles to the last bit. */
  static SampleSummary of(double[] values) {
    double sum = 0;
    double minimum = Double.POSITIVE_INFINITY;
    double maximum = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      sum += value;
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    }
    // Rounding can move the mean of equal values above them, and a quality above 1.
    double mean = Math.clamp(sum / values.length, minimum, maximum);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
    return new SampleSummary(values.length, mean, deviation);
  }

  /** The standard error of the mean; 0 for one value. */
  public double standardError() {
    return deviation / Math.sqrt(count);
  }
}
