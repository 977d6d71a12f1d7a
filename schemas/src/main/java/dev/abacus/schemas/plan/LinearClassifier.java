package dev.abacus.schemas.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision function of a {@link TrainedClassifier}: multinomial logistic regression on an
 * embedding. Both planes use this code. It uses {@link StrictMath}, so that the decisions on live
 * documents equal those measured in training, bit for bit, on every platform.
 */
public final class LinearClassifier {

  private final List<String> classes;
  private final float[][] rows;
  private final double[] thresholds;
  private final double leastScore;

  private LinearClassifier(
      List<String> classes, float[][] rows, double[] thresholds, double leastScore) {
    this.classes = classes;
    this.rows = rows;
    this.thresholds = thresholds;
    this.leastScore = leastScore;
  }

  /**
   * Decodes the weights of a classifier.
   *
   * @throws IllegalArgumentException if the weights are not a matrix of finite numbers with one row
   *     per class
   */
  public static LinearClassifier of(TrainedClassifier trained) {
    float[][] rows = trained.rows();
    int width = rows[0].length;
    if (width < 2 || !trained.weights().equals(TrainedClassifier.encode(rows)) || !finite(rows)) {
      throw new IllegalArgumentException(
          "the weights of a classifier with %d classes are not a matrix of finite numbers"
              .formatted(rows.length));
    }
    return new LinearClassifier(
        trained.classes(),
        rows,
        trained.thresholds().stream().mapToDouble(Double::doubleValue).toArray(),
        trained.leastScore() == null ? Double.NEGATIVE_INFINITY : trained.leastScore());
  }

  private static boolean finite(float[][] rows) {
    for (float[] row : rows) {
      for (float weight : row) {
        if (!Float.isFinite(weight)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns the most probable answer as JSON text; null if its probability is below the threshold
   * of its class, or if the document is like no training example.
   *
   * @throws IllegalArgumentException if the embedding has other dimensions than the weights
   */
  public @Nullable String answer(float[] embedding) {
    double[] probabilities = probabilities(rows, embedding);
    int best = best(probabilities);
    return probabilities[best] >= thresholds[best] && score(rows[best], embedding) >= leastScore
        ? classes.get(best)
        : null;
  }

  /**
   * Returns the probability of an answer, given as JSON text; 0 if no training example had it.
   *
   * @throws IllegalArgumentException if the embedding has other dimensions than the weights
   */
  public double probability(String answer, float[] embedding) {
    int index = classes.indexOf(answer);
    return index < 0 ? 0 : probabilities(rows, embedding)[index];
  }

  /**
   * Computes the probability of each class (softmax of the scores).
   *
   * @param rows per class: the weight of each component, then the intercept
   * @throws IllegalArgumentException if the embedding has other dimensions than the rows
   */
  public static double[] probabilities(float[][] rows, float[] embedding) {
    double[] scores = new double[rows.length];
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < rows.length; i++) {
      scores[i] = rows[i][rows[i].length - 1] + score(rows[i], embedding);
      highest = Math.max(highest, scores[i]);
    }
    double sum = 0;
    for (int i = 0; i < scores.length; i++) {
      scores[i] = StrictMath.exp(scores[i] - highest);
      sum += scores[i];
    }
    for (int i = 0; i < scores.length; i++) {
      scores[i] /= sum;
    }
    return scores;
  }

  /**
   * The scalar product of an embedding with the weights of a class, without intercept.
   *
   * @throws IllegalArgumentException if the embedding has other dimensions than the row
   */
  public static double score(float[] row, float[] embedding) {
    int dimensions = row.length - 1;
    if (embedding.length != dimensions) {
      throw new IllegalArgumentException(
          "the embedding has %d dimensions, the classifier expects %d"
              .formatted(embedding.length, dimensions));
    }
    double score = 0;
    for (int i = 0; i < dimensions; i++) {
      score += (double) row[i] * embedding[i];
    }
    return score;
  }

  /** Returns the index of the largest probability; of equal ones the first. */
  public static int best(double[] probabilities) {
    int best = 0;
    for (int i = 1; i < probabilities.length; i++) {
      if (probabilities[i] > probabilities[best]) {
        best = i;
      }
    }
    return best;
  }
}
