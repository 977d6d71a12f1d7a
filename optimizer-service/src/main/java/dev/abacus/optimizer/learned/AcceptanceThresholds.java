package dev.abacus.optimizer.learned;

import dev.abacus.optimizer.learned.CrossValidation.Prediction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The probability per class from which a classifier's answer is accepted without a model.
 *
 * <p>A class with enough predictions has its own threshold, so that a frequent answer with high
 * precision does not hide a rare one with low precision. The other classes share one threshold,
 * found on their predictions together. Of these, a class whose precision above the threshold is
 * below the target, or that has no prediction there, is never accepted.
 */
final class AcceptanceThresholds {

  /**
   * A class has its own threshold from this multiple of {@link BinomialBound#minimumTrials} on.
   * With fewer predictions a single error would already miss the target.
   */
  private static final int OWN = 2;

  private final double target;
  private final double[] thresholds;

  private AcceptanceThresholds(double target, int classes) {
    this.target = target;
    this.thresholds = new double[classes];
    Arrays.fill(thresholds, PrecisionThreshold.NEVER);
  }

  /**
   * Computes the threshold of each class; {@link PrecisionThreshold#NEVER} for a class that is
   * never accepted.
   *
   * @param predictions cross-validated predictions
   * @param target precision that accepted answers must reach
   */
  static double[] of(Collection<Prediction> predictions, int classes, double target) {
    AcceptanceThresholds found = new AcceptanceThresholds(target, classes);
    List<List<Prediction>> byClass = new ArrayList<>();
    for (int c = 0; c < classes; c++) {
      byClass.add(new ArrayList<>());
    }
    predictions.forEach(prediction -> byClass.get(prediction.answer()).add(prediction));
    found.find(byClass);
    return found.thresholds;
  }

  private void find(List<List<Prediction>> byClass) {
    List<Prediction> shared = new ArrayList<>();
    List<Integer> sharing = new ArrayList<>();
    for (int c = 0; c < byClass.size(); c++) {
      if (byClass.get(c).size() >= OWN * BinomialBound.minimumTrials(target)) {
        thresholds[c] = threshold(byClass.get(c));
      } else {
        shared.addAll(byClass.get(c));
        sharing.add(c);
      }
    }
    double common = threshold(shared);
    for (int c : sharing) {
      thresholds[c] = reachesTarget(byClass.get(c), common) ? common : PrecisionThreshold.NEVER;
    }
  }

  private double threshold(List<Prediction> predictions) {
    List<PrecisionThreshold.Scored> scored =
        predictions.stream()
            .map(prediction ->
                new PrecisionThreshold.Scored(prediction.probability(), prediction.isCorrect(), 1))
            .toList();
    List<Double> passed = PrecisionThreshold.passed(scored, scored, target, 0);
    return passed.isEmpty() ? PrecisionThreshold.NEVER : passed.getLast();
  }

  private boolean reachesTarget(List<Prediction> predictions, double threshold) {
    int accepted = 0;
    int right = 0;
    for (Prediction prediction : predictions) {
      if (prediction.probability() >= threshold) {
        accepted++;
        right += prediction.isCorrect() ? 1 : 0;
      }
    }
    return accepted > 0 && right >= target * accepted;
  }
}
