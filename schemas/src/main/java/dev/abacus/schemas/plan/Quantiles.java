package dev.abacus.schemas.plan;

import java.util.function.DoubleUnaryOperator;

/** The normal distribution and Student's t distribution. */
public final class Quantiles {

  private static final double NORMAL_975 = 1.96;

  /** 97.5 % quantiles of Student's t for 1 to 5 degrees of freedom. */
  private static final double[] FEW = {12.706, 4.303, 3.182, 2.776, 2.571};

  /** Points of the midpoint rule for each variable. */
  private static final int POINTS = 16;

  private static final double LEAST_VARIANCE = 1e-9;

  private static final double WIDEST = 8;

  private static final double WIDEST_STUDENT = 1000;
  private static final int HALVINGS = 50;

  private Quantiles() {}

  /**
   * The cumulative distribution function of the standard normal distribution; Abramowitz and Stegun
   * 26.2.17, error below 1e-7.
   */
  public static double normalBelow(double x) {
    double t = 1 / (1 + 0.2316419 * Math.abs(x));
    double tail =
        Math.exp(-x * x / 2)
            / Math.sqrt(2 * Math.PI)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return x >= 0 ? 1 - tail : tail;
  }

  /**
   * The probability that normal variables of variance 1 are all below their limits, by sequential
   * conditioning (Genz 1992, "Numerical computation of multivariate normal probabilities") with the
   * midpoint rule; exact for independent variables, else the error is below 0.005.
   *
   * @param correlations of the variables, at most 3 of them
   */
  public static double normalBelow(double[] limits, double[][] correlations) {
    int n = limits.length;
    double[][] factor = new double[n][n];
    for (int i = 0; i < n; i++) {
      double left = 1;
      for (int j = 0; j < i; j++) {
        double sum = correlations[i][j];
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        factor[i][j] = sum / factor[j][j];
        left -= factor[i][j] * factor[i][j];
      }
      factor[i][i] = Math.sqrt(Math.max(LEAST_VARIANCE, left));
    }
    return below(limits, factor, new double[n], 0);
  }

  /** The probability of the variables from {@code i} on, given the normal draws before it. */
  private static double below(double[] limits, double[][] factor, double[] draws, int i) {
    if (i == limits.length) {
      return 1;
    }
    double limit = limits[i];
    for (int k = 0; k < i; k++) {
      limit -= factor[i][k] * draws[k];
    }
    double probability = normalBelow(limit / factor[i][i]);
    if (i == limits.length - 1) {
      return probability;
    }
    double sum = 0;
    for (int point = 0; point < POINTS; point++) {
      draws[i] = normal(probability * (point + 0.5) / POINTS);
      sum += below(limits, factor, draws, i + 1);
    }
    return probability * sum / POINTS;
  }

  /** The quantile of the standard normal distribution, by bisection; error below 1e-6. */
  public static double normal(double probability) {
    return quantile(probability, Quantiles::normalBelow, WIDEST);
  }

  /**
   * A quantile of Student's t, by bisection in {@link #studentBelow}.
   *
   * @param degrees degrees of freedom, at least 1
   */
  public static double student(double probability, int degrees) {
    return quantile(probability, x -> studentBelow(x, degrees), WIDEST_STUDENT);
  }

  private static double quantile(double probability, DoubleUnaryOperator below, double widest) {
    double low = -widest;
    double high = widest;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (below.applyAsDouble(middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /**
   * The cumulative distribution function of Student's t by the normal one; error below 1 % (Wallace
   * 1959, "Bounds on normal approximations to Student's and the chi-square distributions").
   *
   * @param degrees degrees of freedom, at least 1
   */
  public static double studentBelow(double x, int degrees) {
    double n = degrees;
    double z = (8 * n + 1) / (8 * n + 3) * Math.sqrt(n * Math.log1p(x * x / n));
    return normalBelow(Math.copySign(z, x));
  }

  /**
   * The 97.5 % quantile of Student's t. Above 5 degrees of freedom the Cornish–Fisher expansion,
   * error below 1 %.
   *
   * @param degrees degrees of freedom, at least 1
   */
  public static double student(int degrees) {
    if (degrees <= FEW.length) {
      return FEW[degrees - 1];
    }
    double z = NORMAL_975;
    return z
        + (Math.pow(z, 3) + z) / (4 * degrees)
        + (5 * Math.pow(z, 5) + 16 * Math.pow(z, 3) + 3 * z) / (96 * (double) degrees * degrees);
  }
}
