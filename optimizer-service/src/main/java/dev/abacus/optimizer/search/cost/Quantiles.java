package dev.abacus.optimizer.search.cost;

/** The normal distribution and Student's t distribution. */
public final class Quantiles {

  private static final double NORMAL_975 = 1.96;

  /** 97.5 % quantiles of Student's t for 1 to 5 degrees of freedom. */
  private static final double[] FEW = {12.706, 4.303, 3.182, 2.776, 2.571};

  private static final double WIDEST = 8;
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

  /** The quantile of the standard normal distribution, by bisection; error below 1e-6. */
  public static double normal(double probability) {
    double low = -WIDEST;
    double high = WIDEST;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (normalBelow(middle) < probability) {
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
