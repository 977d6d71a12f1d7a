package dev.abacus.optimizer.learned;

import dev.abacus.schemas.plan.LinearClassifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@value #FOLDS}-fold cross-validation of a classifier: each example is predicted by the
 * classifier that was fitted without its fold.
 *
 * <p>The final classifier is the mean of these. A single fit on all examples would be more
 * confident than the classifiers of the folds, so thresholds found on their predictions would not
 * hold for it.
 *
 * @param rows weights of the final classifier
 * @param predictions by example id
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CrossValidation(float[][] rows, SortedMap<String, Prediction> predictions) {

  static final int FOLDS = 10;

  /**
   * The prediction for an example that the classifier was not fitted on.
   *
   * @param answer index of the most probable class
   * @param probability probability of that class
   */
  record Prediction(LabelledVector example, int answer, double probability) {

    static Prediction of(LabelledVector example, float[][] rows) {
      double[] probabilities = LinearClassifier.probabilities(rows, example.vector());
      int best = LinearClassifier.best(probabilities);
      return new Prediction(example, best, probabilities[best]);
    }

    boolean isCorrect() {
      return answer == example.answer();
    }
  }

  /**
   * Fits one classifier per fold and predicts all examples.
   *
   * @param examples vectors of one dimension with finite components; at least {@value #FOLDS}
   */
  static CrossValidation of(List<LabelledVector> examples, int classes) {
    List<List<LabelledVector>> folds = folds(examples);
    SortedMap<String, Prediction> predictions = new TreeMap<>();
    float[][] mean = new float[classes][examples.getFirst().vector().length + 1];
    for (int held = 0; held < FOLDS; held++) {
      float[][] rows = LogisticRegression.fit(without(folds, held), classes);
      for (LabelledVector example : folds.get(held)) {
        predictions.put(example.id(), Prediction.of(example, rows));
      }
      addShare(mean, rows);
    }
    return new CrossValidation(mean, predictions);
  }

  /** Stratified: each class is spread evenly over the folds. */
  private static List<List<LabelledVector>> folds(List<LabelledVector> examples) {
    List<LabelledVector> sorted = new ArrayList<>(examples);
    sorted.sort(Comparator.comparingInt(LabelledVector::answer).thenComparing(LabelledVector::id));
    List<List<LabelledVector>> folds = new ArrayList<>();
    for (int fold = 0; fold < FOLDS; fold++) {
      folds.add(new ArrayList<>());
    }
    for (int i = 0; i < sorted.size(); i++) {
      folds.get(i % FOLDS).add(sorted.get(i));
    }
    return folds;
  }

  private static List<LabelledVector> without(List<List<LabelledVector>> folds, int held) {
    List<LabelledVector> rest = new ArrayList<>();
    for (int fold = 0; fold < folds.size(); fold++) {
      if (fold != held) {
        rest.addAll(folds.get(fold));
      }
    }
    return rest;
  }

  private static void addShare(float[][] mean, float[][] rows) {
    for (int c = 0; c < rows.length; c++) {
      for (int i = 0; i < rows[c].length; i++) {
        mean[c][i] += rows[c][i] / FOLDS;
      }
    }
  }
}
