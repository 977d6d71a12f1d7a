package dev.abacus.optimizer.learned;

import java.util.List;

/**
 * Multinomial logistic regression with an L2 penalty: the linear classifier whose weights minimise
 *
 * <pre>  Σ −ln p(answer | vector)  +  ‖weights‖² / (2 · {@value #STRENGTH})</pre>
 *
 * <p>Convex, so there is one solution, found by {@link Minimizer}. The same examples in the same
 * order give the same weights to the last bit. A penalty on the sum, not the mean, lets more
 * examples count for more.
 */
final class LogisticRegression {

  /**
   * How far unit vectors may be told apart: large, because their components are small. Accuracy on
   * Banking77 hardly changes between 10 and 100.
   */
  static final double STRENGTH = 30;

  private final List<LabelledVector> examples;
  private final int classes;
  private final int width;

  /** By component, then class: the weights at hand, and the gradient there. */
  private final double[][] rows;

  private final double[][] slopes;

  private LogisticRegression(List<LabelledVector> examples, int classes) {
    this.examples = examples;
    this.classes = classes;
    this.width = examples.getFirst().vector().length + 1;
    this.rows = new double[width][classes];
    this.slopes = new double[width][classes];
  }

  /**
   * Fits.
   *
   * @param examples at least one, all of the same dimension, of finite numbers
   * @param classes number of classes; answers are below it
   * @return for each class the weights of the components, the intercept last
   */
  static float[][] fit(List<LabelledVector> examples, int classes) {
    LogisticRegression regression = new LogisticRegression(examples, classes);
    double[] solution =
        Minimizer.minimize(regression::loss, new double[regression.width * classes]);
    float[][] rows = new float[classes][regression.width];
    for (int i = 0; i < regression.width; i++) {
      for (int c = 0; c < classes; c++) {
        rows[c][i] = (float) solution[i * classes + c];
      }
    }
    return rows;
  }

  /**
   * The loss, and its gradient. Works on an array for each component, with the classes beside each
   * other: arrays that differ are known to be apart, and the inner loops need no reduction, so the
   * compiler can use vector instructions without changing the order of a sum.
   */
  private double loss(double[] weights, double[] gradient) {
    double loss = 0;
    for (int i = 0; i < width; i++) {
      System.arraycopy(weights, i * classes, rows[i], 0, classes);
      for (int c = 0; c < classes; c++) {
        boolean intercept = i == width - 1;
        slopes[i][c] = intercept ? 0 : rows[i][c] / STRENGTH;
        loss += intercept ? 0 : rows[i][c] * rows[i][c] / (2 * STRENGTH);
      }
    }
    double[] scores = new double[classes];
    for (LabelledVector example : examples) {
      score(example.vector(), scores);
      loss += softmax(scores, example.answer());
      scores[example.answer()] -= 1;
      for (int i = 0; i < width; i++) {
        addTo(slopes[i], i == width - 1 ? 1 : example.vector()[i], scores);
      }
    }
    for (int i = 0; i < width; i++) {
      System.arraycopy(slopes[i], 0, gradient, i * classes, classes);
    }
    return loss;
  }

  private void score(float[] vector, double[] scores) {
    System.arraycopy(rows[width - 1], 0, scores, 0, classes);
    for (int i = 0; i < width - 1; i++) {
      addTo(scores, vector[i], rows[i]);
    }
  }

  private static void addTo(double[] sum, double factor, double[] values) {
    for (int c = 0; c < sum.length; c++) {
      sum[c] += factor * values[c];
    }
  }

  /** Turns scores into probabilities; returns −ln of the answer's. */
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
