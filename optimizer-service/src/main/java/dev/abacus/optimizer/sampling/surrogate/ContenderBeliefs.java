package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.schemas.objective.Dimension;
import java.util.Arrays;
import java.util.List;

/**
 * The joint beliefs about the arms that may be chosen, in the units of the models, and what is
 * expected of them after further measurements. Arms are numbered from 0.
 *
 * @param means by dimension and arm
 * @param covariances by dimension, arm and arm; they change with {@link #condition}
 * @param noise variance of a measurement, by dimension
 * @param grid points of the distribution of a measurement
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ContenderBeliefs(
    PlanContext context,
    Dimension[] dimensions,
    double[][] means,
    double[][][] covariances,
    double[] noise,
    NormalGrid grid) {

  /** No arm. */
  static final int NONE = -1;

  /**
   * The beliefs of a model.
   *
   * @param arms indexes of the arms in the model
   * @param dimensions not to be changed afterwards
   * @param whitened by dimension and index in the model, as {@link EffectModel#whitened} gives them
   */
  static ContenderBeliefs of(
      OperatorModel model,
      PlanContext context,
      Dimension[] dimensions,
      List<Integer> arms,
      double[][][] whitened) {
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
    return new ContenderBeliefs(
        context, dimensions, means, covariances, noise, NormalGrid.of(dimensions.length));
  }

  /** What one metric of an arm adds to its worth, from the mean in the unit of the model. */
  interface Part {
    double of(Dimension dimension, double mean);
  }

  /**
   * The worth of an arm whose means have moved, from the sum of the parts and the probability that
   * it meets its limits.
   */
  interface Worth {
    double of(int arm, double sum, double feasible);
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
  double gain(double[][] shifts, Part part, Worth worth) {
    Expectation expectation = expect(shifts, part, worth);
    return expectation.informed() - expectation.uninformed();
  }

  /**
   * The expectation over a grid of outcomes of all dimensions. A metric has few values on the grid,
   * so what it adds is computed for each of them, not for each point.
   */
  Expectation expect(double[][] shifts, Part part, Worth worth) {
    double[] best = new double[grid.weights().length];
    Arrays.fill(best, Double.NEGATIVE_INFINITY);
    double uninformed = size() == 0 ? 0 : Double.NEGATIVE_INFINITY;
    double[][] parts = new double[means.length][];
    double[][] feasible = new double[means.length][];
    for (int d = 0; d < means.length; d++) {
      parts[d] = new double[grid.axes()[d].length];
      feasible[d] = new double[grid.axes()[d].length];
    }
    for (int i = 0; i < size(); i++) {
      for (int d = 0; d < means.length; d++) {
        double left = left(i, d, shifts[d][i]);
        double[] axis = grid.axes()[d];
        for (int k = 0; k < axis.length; k++) {
          double mean = means[d][i] + shifts[d][i] * axis[k];
          parts[d][k] = part.of(dimensions[d], mean);
          feasible[d][k] = context.feasible(dimensions[d], mean, left);
        }
      }
      double expected = 0;
      for (int s = 0; s < best.length; s++) {
        double sum = 0;
        double probability = 1;
        for (int d = 0; d < parts.length; d++) {
          int index = grid.indexes()[s][d];
          sum += parts[d][index];
          probability *= feasible[d][index];
        }
        double value = worth.of(i, sum, probability);
        expected += grid.weights()[s] * value;
        best[s] = Math.max(best[s], value);
      }
      uninformed = Math.max(uninformed, expected);
    }
    double informed = 0;
    for (int s = 0; s < best.length; s++) {
      informed += grid.weights()[s] * best[s];
    }
    return new Expectation(informed, uninformed);
  }

  /** The deviation of an arm that is left after a signal. */
  private double left(int arm, int d, double shift) {
    return Math.sqrt(Math.max(0, covariances[d][arm][arm] - shift * shift));
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
