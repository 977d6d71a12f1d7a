package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.schemas.objective.Dimension;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The joint beliefs about the arms that may be chosen, in the units of the models, and what is
 * expected of them after further measurements. Arms are numbered from 0.
 */
final class ContenderBeliefs {

  /** No arm. */
  static final int NONE = -1;

  private final double[][] means;
  private final double[][][] covariances;
  private final double[] noise;
  private final NormalGrid grid;

  private ContenderBeliefs(double[][] means, double[][][] covariances, double[] noise) {
    this.means = means;
    this.covariances = covariances;
    this.noise = noise;
    this.grid = NormalGrid.of(means.length);
  }

  /**
   * The beliefs of a model.
   *
   * @param arms indexes of the arms in the model
   * @param whitened by dimension and index in the model, as {@link EffectModel#whitened} gives them
   */
  static ContenderBeliefs of(
      OperatorModel model, Dimension[] dimensions, List<Integer> arms, double[][][] whitened) {
    int n = arms.size();
    double[][] means = new double[dimensions.length][n];
    double[][][] covariances = new double[dimensions.length][n][n];
    double[] noise = new double[dimensions.length];
    for (int d = 0; d < dimensions.length; d++) {
      EffectModel metric = model.model(dimensions[d]);
      noise[d] = metric.noise();
      for (int i = 0; i < n; i++) {
        int a = arms.get(i);
        means[d][i] = metric.mean(a);
        for (int j = 0; j <= i; j++) {
          int b = arms.get(j);
          covariances[d][i][j] = metric.covariance(a, whitened[d][a], b, whitened[d][b]);
          covariances[d][j][i] = covariances[d][i][j];
        }
      }
    }
    return new ContenderBeliefs(means, covariances, noise);
  }

  /** The worth of an arm whose means have moved, with the deviations that are left. */
  interface Worth {
    double of(int arm, double[] moved, double[] left);
  }

  /**
   * The expected worth after a signal.
   *
   * @param informed of the arm that is best then
   * @param uninformed of the arm that is best if it is chosen before
   */
  record Expectation(double informed, double uninformed) {}

  private int size() {
    return means[0].length;
  }

  /** The means of an arm, by dimension. */
  double[] means(int arm) {
    return Arrays.stream(means).mapToDouble(ofDimension -> ofDimension[arm]).toArray();
  }

  /** The standard deviations of an arm, by dimension. */
  double[] deviations(int arm) {
    return Arrays.stream(covariances)
        .mapToDouble(covariance -> Math.sqrt(covariance[arm][arm]))
        .toArray();
  }

  /**
   * By how much each arm moves, by dimension, with a signal of one standard deviation.
   *
   * @param arm whose measurements are the signal
   * @param against an arm that is measured on the same examples, so that the signal is the
   *     difference; {@link #NONE} for none
   * @param measurements of each arm
   */
  double[][] shifts(int arm, int against, double measurements) {
    double[][] shifts = new double[means.length][size()];
    for (int d = 0; d < means.length; d++) {
      double[] signal = covariances[d][arm].clone();
      for (int i = 0; i < signal.length && against != NONE; i++) {
        signal[i] -= covariances[d][against][i];
      }
      double variance = against == NONE ? signal[arm] : signal[arm] - signal[against];
      double scatter = variance + (against == NONE ? 1 : 2) * noise[d] / measurements;
      for (int i = 0; i < signal.length; i++) {
        shifts[d][i] = scatter > 0 ? signal[i] / Math.sqrt(scatter) : 0;
      }
    }
    return shifts;
  }

  /** The expected increase of the worth of the best arm by a signal. */
  double gain(double[][] shifts, Worth worth) {
    Expectation expectation = expect(shifts, worth);
    return expectation.informed() - expectation.uninformed();
  }

  /** The expectation over a grid of outcomes of all dimensions. */
  Expectation expect(double[][] shifts, Worth worth) {
    double[][] left =
        IntStream.range(0, size()).mapToObj(i -> left(i, shifts)).toArray(double[][]::new);
    double informed = 0;
    double[] uninformed = new double[size()];
    double[] moved = new double[means.length];
    for (int s = 0; s < grid.size(); s++) {
      double best = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < uninformed.length; i++) {
        for (int d = 0; d < moved.length; d++) {
          moved[d] = means[d][i] + shifts[d][i] * grid.value(s, d);
        }
        double value = worth.of(i, moved, left[i]);
        uninformed[i] += grid.weight(s) * value;
        best = Math.max(best, value);
      }
      informed += grid.weight(s) * best;
    }
    return new Expectation(informed, Arrays.stream(uninformed).max().orElse(0));
  }

  /** The deviations of an arm that are left after a signal. */
  private double[] left(int arm, double[][] shifts) {
    double[] left = new double[means.length];
    for (int d = 0; d < left.length; d++) {
      double variance = covariances[d][arm][arm] - shifts[d][arm] * shifts[d][arm];
      left[d] = Math.sqrt(Math.max(0, variance));
    }
    return left;
  }

  /** Reduces the covariances as a measurement of an arm would. */
  void condition(int measured) {
    for (int d = 0; d < means.length; d++) {
      double[][] covariance = covariances[d];
      double[] column = covariance[measured].clone();
      double scatter = column[measured] + noise[d];
      for (int i = 0; i < column.length; i++) {
        for (int j = 0; j < column.length; j++) {
          covariance[i][j] -= column[i] * column[j] / scatter;
        }
      }
    }
  }
}
