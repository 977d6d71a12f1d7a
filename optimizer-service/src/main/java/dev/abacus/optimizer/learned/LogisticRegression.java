package dev.abacus.optimizer.learned;

import java.util.Arrays;
import java.util.List;

/**
 * Multinomial logistic regression with an L2 penalty: the linear classifier whose weights minimize
 *
 * <pre>  Σ −ln p(answer | vector)  +  ‖weights‖² / (2 · {@value #INVERSE_PENALTY})</pre>
 *
 * <p>The function is convex with one minimum, found by {@link LbfgsMinimizer}. The same examples in
 * the same order yield the same weights, bit for bit on one kind of processor, which libraries with
 * parallel arithmetic do not guarantee. The loss is a sum, not a mean, so the penalty weighs less
 * with more examples.
 *
 * <p>Products and probabilities of an example are floats, as its vector is; the loss and the steps
 * are doubles. Vectors count from their mean, for which the intercept makes up: the minimum is the
 * same, and found in a tenth fewer steps, since the vectors of an embedder have much in common.
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

  /** The mean of the vectors. */
  private final float[] mean;

  /**
   * By component, then class: the current weights. The intercept is first, as sums begin with it,
   * and zeros fill the last block.
   */
  private final float[][] rows;

  /** The gradient at the current weights, as far as it is of the examples. */
  private final float[][] slopes;

  /** By example of a block, then component, as in {@link #rows}. */
  private final float[][] features;

  /** By example of a block, then class: what its probability is too high by. */
  private final float[][] errors;

  private LogisticRegression(List<LabelledVector> examples, int classes) {
    this.examples = examples;
    this.classes = classes;
    this.width = examples.getFirst().vector().length + 1;
    this.mean = mean(examples, width - 1);
    int filled = (width + BLOCK - 1) / BLOCK * BLOCK;
    this.rows = new float[filled][classes];
    this.slopes = new float[filled][classes];
    this.features = new float[BLOCK][filled];
    this.errors = new float[BLOCK][classes];
  }

  private static float[] mean(List<LabelledVector> examples, int dimensions) {
    float[] mean = new float[dimensions];
    for (LabelledVector example : examples) {
      for (int i = 0; i < dimensions; i++) {
        mean[i] += example.vector()[i] / examples.size();
      }
    }
    return mean;
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
    regression.moveIntercepts(weights, 1);
    double[] solution = LbfgsMinimizer.minimize(regression::loss, weights);
    regression.moveIntercepts(solution, -1);
    float[][] rows = new float[classes][regression.width];
    for (int i = 0; i < regression.width; i++) {
      for (int c = 0; c < classes; c++) {
        rows[c][i] = (float) solution[i * classes + c];
      }
    }
    return rows;
  }

  /** Adds to the intercepts what the weights make of a multiple of the mean of the vectors. */
  private void moveIntercepts(double[] weights, int times) {
    int intercepts = mean.length * classes;
    for (int i = 0; i < mean.length; i++) {
      for (int c = 0; c < classes; c++) {
        weights[intercepts + c] += times * mean[i] * weights[i * classes + c];
      }
    }
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
      float[] row = rows[row(i)];
      Arrays.fill(slopes[row(i)], 0);
      for (int c = 0; c < classes; c++) {
        double weight = weights[i * classes + c];
        row[c] = (float) weight;
        gradient[i * classes + c] = intercept ? 0 : weight / INVERSE_PENALTY;
        loss += intercept ? 0 : weight * weight / (2 * INVERSE_PENALTY);
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
      float[] slope = slopes[row(i)];
      for (int c = 0; c < classes; c++) {
        gradient[i * classes + c] += slope[c];
      }
    }
    return loss;
  }

  /** The row of a component of the weights, among which the intercept is last. */
  private int row(int component) {
    return component == width - 1 ? 0 : component + 1;
  }

  /** The loss of an example; sets its features and errors. */
  private double loss(LabelledVector example, float[] feature, float[] error) {
    feature[0] = 1;
    for (int i = 1; i < width; i++) {
      feature[i] = example.vector()[i - 1] - mean[i - 1];
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
      float[] sum, float f0, float f1, float f2, float f3, float[][] values, int from) {
    float[] v0 = values[from];
    float[] v1 = values[from + 1];
    float[] v2 = values[from + 2];
    float[] v3 = values[from + 3];
    for (int c = 0; c < sum.length; c++) {
      sum[c] = sum[c] + f0 * v0[c] + f1 * v1[c] + f2 * v2[c] + f3 * v3[c];
    }
  }

  /** Replaces scores by probabilities; returns −ln of the probability of the answer. */
  private static double softmax(float[] scores, int answer) {
    float highest = Float.NEGATIVE_INFINITY;
    for (float score : scores) {
      highest = Math.max(highest, score);
    }
    double right = scores[answer] - highest;
    double sum = 0;
    for (int c = 0; c < scores.length; c++) {
      double odds = Math.exp(scores[c] - highest);
      scores[c] = (float) odds;
      sum += odds;
    }
    for (int c = 0; c < scores.length; c++) {
      scores[c] = (float) (scores[c] / sum);
    }
    return Math.log(sum) - right;
  }
}
