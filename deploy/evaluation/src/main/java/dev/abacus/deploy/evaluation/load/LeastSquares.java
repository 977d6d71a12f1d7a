package dev.abacus.deploy.evaluation.load;

import java.util.Arrays;

/** The line through points with the least sum of squares. */
public final class LeastSquares {

  private LeastSquares() {}

  /** Returns its slope; 0 if all {@code x} are equal. */
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
