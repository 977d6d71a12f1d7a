package dev.abacus.deploy.evaluation.load;

import java.util.Arrays;
import java.util.List;

/** What benchmarks compute of their measurements. */
public final class Statistics {

  private Statistics() {}

  /** Returns the mean of the two values in the middle, if their number is even; at least 1. */
  public static double median(List<? extends Number> values) {
    double[] sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Returns the slope of the line with the least squares; 0 if all {@code x} are equal. */
  public static double slope(double[] x, double[] y) {
    double meanX = Arrays.stream(x).average().orElse(0);
    double meanY = Arrays.stream(y).average().orElse(0);
    double covariance = 0;
    double variance = 0;
    for (int i = 0; i < x.length; i++) {
      covariance += (x[i] - meanX) * (y[i] - meanY);
      variance += (x[i] - meanX) * (x[i] - meanX);
    }
    return variance == 0 ? 0 : covariance / variance;
  }
}
