package dev.abacus.optimizer.learned;

import dev.abacus.optimizer.learned.CrossValidation.Prediction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * From which probability on a classifier may answer alone, class by class.
 *
 * <p>A class with enough predictions of its own has a threshold of its own, so that a frequent
 * answer cannot hide that a rare one is given wrongly. The others share one, found on their
 * predictions together; of these, a class that was right too seldom above it, or was never seen
 * there, never answers alone.
 */
final class AloneThresholds {

  /** Times {@link Proportions#fewest}: where fewer are, a single error leaves nothing to show. */
  private static final int OWN = 2;

  private final double target;
  private final double[] thresholds;

  private AloneThresholds(double target, int classes) {
    this.target = target;
    this.thresholds = new double[classes];
    Arrays.fill(thresholds, SureThreshold.NEVER);
  }

  /**
   * The threshold of each class; {@link SureThreshold#NEVER} where it never answers alone.
   *
   * @param predictions of examples unseen
   */
  static double[] of(Collection<Prediction> predictions, int classes, double target) {
    AloneThresholds found = new AloneThresholds(target, classes);
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
      if (byClass.get(c).size() >= OWN * Proportions.fewest(target)) {
        thresholds[c] = threshold(byClass.get(c));
      } else {
        shared.addAll(byClass.get(c));
        sharing.add(c);
      }
    }
    double common = threshold(shared);
    for (int c : sharing) {
      thresholds[c] = holdsUp(byClass.get(c), common) ? common : SureThreshold.NEVER;
    }
  }

  private double threshold(List<Prediction> predictions) {
    return SureThreshold.find(
        predictions.stream()
            .map(prediction ->
                new SureThreshold.Checked(prediction.probability(), prediction.isRight()))
            .toList(),
        target);
  }

  private boolean holdsUp(List<Prediction> predictions, double threshold) {
    int alone = 0;
    int right = 0;
    for (Prediction prediction : predictions) {
      if (prediction.probability() >= threshold) {
        alone++;
        right += prediction.isRight() ? 1 : 0;
      }
    }
    return alone > 0 && right >= target * alone;
  }
}
