package dev.abacus.optimizer.learned;

import java.util.Arrays;
import java.util.List;

/**
 * Multinomial logistic regression with an L2 penalty: the linear classifier whose weights minimize
 *
 * <pre>  Σ −ln p(answer | vector)  +  ‖weights‖² / (2 · {@value #INVERSE_PENALTY})</pre>
 *
 * <p>The function is convex with one minimum, found by {@link LbfgsMinimizer}. The same examples in
 * the same order yield the same weights, bit for bit, which libraries with parallel or native
 * arithmetic do not guarantee. The loss is a sum, not a mean, so the penalty weighs less with more
 * examples.
 */
public final class LogisticRegression {

  /**
   * Inverse of the penalty. Large, because the components of unit vectors are small. The accuracy
   * on Banking77 hardly changes between 10 and 100.
   */
  static final double INVERSE_PENALTY = 30;

  /** Products that are added to a sum while it is in a register: nearly half the time of one. */
  private static final int BLOCK = 4;

  private final List<LabelledVector> examples;
  private final int classes;
  private final int width;

  /**
   * By component, then class: the current weights. The intercept is first, as sums begin with it,
   * and zeros fill the last block.
   */
  private final double[][] rows;

  /** The gradient at the current weights. */
  private final double[][] slopes;

  /** By example of a block, then component, as in {@link #rows}. */
  private final double[][] features;

  /** By example of a block, then class: what its probability is too high by. */
  private final double[][] errors;

  private LogisticRegression(List<LabelledVector> examples, int classes) {
    this.examples = examples;
    this.classes = classes;
    this.width = examples.getFirst().vector().length + 1;
    int filled = (width + BLOCK - 1) / BLOCK * BLOCK;
    this.rows = new double[filled][classes];
    this.slopes = new double[filled][classes];
    this.features = new double[BLOCK][filled];
    this.errors = new double[BLOCK][classes];
  }

  /**
   * Fits the weights.
   *
   * @param examples at least one, of one dimension with finite components
   * @param classes number of classes
   * @return per class the weights of the components, then the intercept
   */
  public static float[][] fit(List<LabelledVector> examples, int classes) {
    return fit(examples, new float[classes][examples.getFirst().vector().length + 1]);
  }

  /**
   * Fits the weights, beginning with known ones, which is faster if they are near.
   *
   * @param examples at least one, of one dimension with finite components
   * @param start per class the weights of the components, then the intercept
   */
  public static float[][] fit(List<LabelledVector> examples, float[][] start) {
    int classes = start.length;
    LogisticRegression regression = new LogisticRegression(examples, classes);
    double[] weights = new double[regression.width * classes];
    for (int i = 0; i < regression.width; i++) {
      for (int c = 0; c < classes; c++) {
        weights[i * classes + c] = start[c][i];
      }
    }
    double[] solution = LbfgsMinimizer.minimize(regression::loss, weights);
    float[][] rows = new float[classes][regression.width];
    for (int i = 0; i < regression.width; i++) {
      for (int c = 0; c < classes; c++) {
        rows[c][i] = (float) solution[i * classes + c];
      }
    }
    return rows;
  }

  /**
   * Computes the loss and its gradient. The weights are laid out as one array per component, so
   * that the inner loop has no reduction and the compiler can vectorize it without changing the
   * order of a sum.
   */
  private double loss(double[] weights, double[] gradient) {
    double loss = 0;
    for (int i = 0; i < width; i++) {
      boolean intercept = i == width - 1;
      double[] row = rows[row(i)];
      double[] slope = slopes[row(i)];
      System.arraycopy(weights, i * classes, row, 0, classes);
      for (int c = 0; c < classes; c++) {
        slope[c] = intercept ? 0 : row[c] / INVERSE_PENALTY;
        loss += intercept ? 0 : row[c] * row[c] / (2 * INVERSE_PENALTY);
      }
    }
    for (int first = 0; first < examples.size(); first += BLOCK) {
      for (int k = 0; k < BLOCK; k++) {
        if (first + k < examples.size()) {
          loss += loss(examples.get(first + k), features[k], errors[k]);
        } else {
          // Whatever its features are, they are multiplied by nothing.
          Arrays.fill(errors[k], 0);
        }
      }
      for (int i = 0; i < width; i++) {
        addTo(slopes[i], features[0][i], features[1][i], features[2][i], features[3][i], errors, 0);
      }
    }
    for (int i = 0; i < width; i++) {
      System.arraycopy(slopes[row(i)], 0, gradient, i * classes, classes);
    }
    return loss;
  }

  /** The row of a component of the weights, among which the intercept is last. */
  private int row(int component) {
    return component == width - 1 ? 0 : component + 1;
  }

  /** The loss of an example; sets its features and errors. */
  private double loss(LabelledVector example, double[] feature, double[] error) {
    feature[0] = 1;
    for (int i = 1; i < width; i++) {
      feature[i] = example.vector()[i - 1];
    }
    Arrays.fill(error, 0);
    for (int i = 0; i < width; i += BLOCK) {
      addTo(error, feature[i], feature[i + 1], feature[i + 2], feature[i + 3], rows, i);
    }
    double loss = softmax(error, example.answer());
    error[example.answer()] -= 1;
    return loss;
  }

  /** Adds the products of four factors and four arrays, from the given one on, in this order. */
  private static void addTo(
      double[] sum, double f0, double f1, double f2, double f3, double[][] values, int from) {
    double[] v0 = values[from];
    double[] v1 = values[from + 1];
    double[] v2 = values[from + 2];
    double[] v3 = values[from + 3];
    for (int c = 0; c < sum.length; c++) {
      sum[c] = sum[c] + f0 * v0[c] + f1 * v1[c] + f2 * v2[c] + f3 * v3[c];
    }
  }

  /** Replaces scores by probabilities; returns −ln of the probability of the answer. */
  private static double softmax(double[] scores, int answer) {
    double highest = Double.NEGATIVE_INFINITY;
    for (double score : scores) {
      highest = Math.max(highest, score);
    }
    double right = scores[answer] - highest;
    double sum = 0;
    for (int c = 0; c < scores.length; c++) {
      scores[c] = StrictMath.exp(scores[c] - highest);
      sum += scores[c];
    }
    for (int c = 0; c < scores.length; c++) {
      scores[c] /= sum;
    }
    return StrictMath.log(sum) - right;
  }
}
