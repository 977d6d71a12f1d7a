package dev.abacus.optimizer.search.cost;

/**
 * What a number of observed values come to.
 *
 * @param count above 0
 * @param deviation standard deviation of the sample (divisor {@code count - 1}); 0 for one value
 */
public record SampleSummary(
    int count, double mean, double deviation, double minimum, double maximum) {

  /** Of values in a given order; the same order gives the same doubles to the last bit. */
  static SampleSummary of(double[] values) {
    double sum = 0;
    double minimum = Double.POSITIVE_INFINITY;
    double maximum = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      sum += value;
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    }
    // Rounding can carry the mean of equal values past them, and a quality past 1.
    double mean = Math.clamp(sum / values.length, minimum, maximum);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
    return new SampleSummary(values.length, mean, deviation, minimum, maximum);
  }

  /** Largest minus smallest value. */
  public double spread() {
    return maximum - minimum;
  }
}
