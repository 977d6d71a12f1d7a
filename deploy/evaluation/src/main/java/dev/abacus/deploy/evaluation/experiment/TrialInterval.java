package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/** What trials show, with 95 % confidence. */
record TrialInterval(double low, double high) {

  private static final double Z = 1.959964;

  /** Of a mean, by the normal approximation. */
  static TrialInterval ofMean(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double n = values.length;
    double half = n < 2 ? 0 : Z * Math.sqrt(squares / (n - 1) / n);
    return new TrialInterval(mean - half, mean + half);
  }

  /** Of a share of trials (Wilson's score interval, which holds near 0 and 1 as well). */
  static TrialInterval ofShare(double share, int n) {
    double z2 = Z * Z;
    double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    double half = Z / (1 + z2 / n) * Math.sqrt(share * (1 - share) / n + z2 / (4.0 * n * n));
    return new TrialInterval(Math.max(0, centre - half), Math.min(1, centre + half));
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return values.length == 0 ? 0 : sum / values.length;
  }

  boolean contains(double value) {
    return low <= value && value <= high;
  }

  double width() {
    return high - low;
  }

  /** {@code [low, high]}. */
  @JsonValue
  List<Double> bounds() {
    return List.of(low, high);
  }
}
