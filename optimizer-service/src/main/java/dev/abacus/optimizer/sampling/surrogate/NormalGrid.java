package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/**
 * A grid for the expectation of a function of independent standard normal variables. Reaches into
 * the tails, since improbable good outcomes make a sample valuable.
 *
 * @param axes values of each variable
 * @param indexes on the axes, by point and variable
 * @param weights of the points; they add up to 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NormalGrid(double[][] axes, int[][] indexes, double[] weights) {

  /**
   * A grid for 1 to 3 variables; finest for one. Of two, the first is finer, which is quality if
   * quality counts: whether a bound on it is kept changes in a step.
   */
  static NormalGrid of(int variables) {
    return switch (variables) {
      case 1 -> product(axis(13, 3));
      case 2 -> product(axis(13, 3), axis(3, 1.5));
      default -> product(axis(5, 2.4), axis(5, 2.4), axis(3, 1.5));
    };
  }

  private static double[] axis(int points, double last) {
    double[] axis = new double[points];
    for (int i = 0; i < points; i++) {
      axis[i] = last * (2.0 * i / (points - 1) - 1);
    }
    return axis;
  }

  private static NormalGrid product(double[]... axes) {
    int size = Arrays.stream(axes).mapToInt(axis -> axis.length).reduce(1, (a, b) -> a * b);
    int[][] indexes = new int[size][axes.length];
    double[] weights = new double[size];
    for (int i = 0; i < size; i++) {
      int rest = i;
      double squares = 0;
      for (int d = 0; d < axes.length; d++) {
        indexes[i][d] = rest % axes[d].length;
        rest /= axes[d].length;
        double value = axes[d][indexes[i][d]];
        squares += value * value;
      }
      weights[i] = Math.exp(-squares / 2);
    }
    double sum = Arrays.stream(weights).sum();
    return new NormalGrid(
        axes, indexes, Arrays.stream(weights).map(weight -> weight / sum).toArray());
  }
}
