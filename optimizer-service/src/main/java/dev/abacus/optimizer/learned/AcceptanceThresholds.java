package dev.abacus.optimizer.learned;

import dev.abacus.optimizer.learned.CrossValidation.Prediction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The probability per class from which a classifier's answer is accepted without a model.
 *
 * <pre>
 *   cross-validated predictions ──► one threshold per class
 *   calibration examples        ──► all thresholds together are raised or lowered by one amount,
 *                                   so that the share of right answers is shown to reach the target
 * </pre>
 *
 * <p>A class with enough predictions has its own threshold, so that a frequent answer with high
 * precision does not hide a rare one with low precision. The other classes share one threshold,
 * found on their predictions together. Of these, a class whose precision above the threshold is
 * below the target, or that has no prediction there, is never accepted. The amount, a difference of
 * logits, is found by {@link PrecisionThreshold} on examples that the deployed classifier was not
 * fitted on and that chose nothing.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AcceptanceThresholds(double target, double[] thresholds) {

  /** Above every probability: no answer is accepted. */
  static final double NEVER = 2;

  /** A class has its own threshold from this multiple of {@link BinomialBound#minimumTrials} on. */
  private static final int OWN = 2;

  /** A difference of logits that accepts every answer of the classes that are accepted at all. */
  private static final double ALL = 50;

  private static final double ROUNDING = 1e-12;

  /**
   * Computes the threshold of each class; {@link #NEVER} for a class that is never accepted.
   *
   * @param choosing cross-validated predictions
   * @param testing predictions of the deployed classifier on calibration examples
   * @param target precision that accepted answers must reach
   */
  static double[] of(
      Collection<Prediction> choosing, Collection<Prediction> testing, int classes, double target) {
    AcceptanceThresholds found = new AcceptanceThresholds(target, new double[classes]);
    List<List<Prediction>> byClass = new ArrayList<>();
    for (int c = 0; c < classes; c++) {
      byClass.add(new ArrayList<>());
    }
    choosing.forEach(prediction -> byClass.get(prediction.answer()).add(prediction));
    found.choose(byClass);
    found.test(choosing, testing);
    return found.thresholds;
  }

  private void choose(List<List<Prediction>> byClass) {
    List<Prediction> shared = new ArrayList<>();
    List<Integer> sharing = new ArrayList<>();
    for (int c = 0; c < byClass.size(); c++) {
      if (byClass.get(c).size() >= OWN * BinomialBound.minimumTrials(target)) {
        thresholds[c] = lowest(byClass.get(c));
      } else {
        shared.addAll(byClass.get(c));
        sharing.add(c);
      }
    }
    double common = lowest(shared);
    for (int c : sharing) {
      thresholds[c] = reachesTarget(byClass.get(c), common) ? common : NEVER;
    }
  }

  /** The lowest probability from which on enough predictions reach the target. */
  private double lowest(List<Prediction> predictions) {
    List<Prediction> sorted = new ArrayList<>(predictions);
    sorted.sort(Comparator.comparingDouble(Prediction::probability).reversed());
    double lowest = NEVER;
    int right = 0;
    for (int i = 0; i < sorted.size(); i++) {
      right += sorted.get(i).isCorrect() ? 1 : 0;
      boolean enough = 2 * (i + 1) >= BinomialBound.minimumTrials(target);
      lowest = enough && right >= target * (i + 1) ? sorted.get(i).probability() : lowest;
    }
    return lowest;
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

  private void test(Collection<Prediction> choosing, Collection<Prediction> testing) {
    List<Double> passed = PrecisionThreshold.passed(scored(choosing), scored(testing), target, ALL);
    for (int c = 0; c < thresholds.length; c++) {
      if (thresholds[c] != NEVER) {
        thresholds[c] =
            passed.isEmpty() ? NEVER : probability(logit(thresholds[c]) + passed.getLast());
      }
    }
  }

  /** The predictions of accepted classes; the confidence is the distance to their threshold. */
  private List<PrecisionThreshold.Scored> scored(Collection<Prediction> predictions) {
    return predictions.stream()
        .filter(prediction -> thresholds[prediction.answer()] != NEVER)
        .map(prediction ->
            new PrecisionThreshold.Scored(
                logit(prediction.probability()) - logit(thresholds[prediction.answer()]),
                prediction.isCorrect(),
                1))
        .toList();
  }

  private static double logit(double probability) {
    double inside = Math.clamp(probability, ROUNDING, 1 - ROUNDING);
    return StrictMath.log(inside / (1 - inside));
  }

  private static double probability(double logit) {
    return 1 / (1 + StrictMath.exp(-logit));
  }
}
