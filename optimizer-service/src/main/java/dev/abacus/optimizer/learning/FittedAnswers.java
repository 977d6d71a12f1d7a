package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.learned.LogisticRegression;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A classifier that was fitted to answers.
 *
 * @param classes the answers as JSON texts, sorted
 * @param rows weights per class
 * @param leastScore below it a document is like nothing that was fitted to
 * @param examples number of answers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FittedAnswers(List<String> classes, float[][] rows, double leastScore, int examples) {

  /** A larger number of classes would take too long to fit. */
  private static final int MOST_CLASSES = 200;

  /** Share of the fitted documents that are taken for new ones. */
  private static final double NEW = 0.03;

  /** An answer with the embedding of its document. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Example(long number, float[] vector, String answer) {}

  /**
   * Fits a classifier.
   *
   * @param before the fit before, near which this one is; null for none
   * @return null if there are too few or too many different answers
   */
  static @Nullable FittedAnswers of(List<Example> known, @Nullable FittedAnswers before) {
    TreeSet<String> distinct = new TreeSet<>();
    known.forEach(example -> distinct.add(example.answer()));
    List<String> classes = List.copyOf(distinct);
    if (classes.size() < 2 || classes.size() > MOST_CLASSES) {
      return null;
    }
    Map<String, Integer> index = new HashMap<>();
    classes.forEach(answer -> index.put(answer, index.size()));
    List<LabelledVector> vectors =
        known.stream()
            .map(example ->
                new LabelledVector(
                    String.valueOf(example.number()),
                    example.vector(),
                    index.getOrDefault(example.answer(), 0),
                    false))
            .toList();
    int width = vectors.getFirst().vector().length + 1;
    float[][] start =
        classes.stream()
            .map(answer -> {
              int row = before == null ? -1 : before.classes.indexOf(answer);
              return before == null || row < 0 ? new float[width] : before.rows[row];
            })
            .toArray(float[][]::new);
    float[][] rows = LogisticRegression.fit(vectors, start);
    return new FittedAnswers(classes, rows, leastScore(vectors, rows), known.size());
  }

  /** The score that all but a few of the rightly classified documents reach. */
  private static double leastScore(List<LabelledVector> vectors, float[][] rows) {
    double[] scores =
        vectors.stream()
            .filter(one ->
                LinearClassifier.best(LinearClassifier.probabilities(rows, one.vector()))
                    == one.answer())
            .mapToDouble(one -> LinearClassifier.score(rows[one.answer()], one.vector()))
            .sorted()
            .toArray();
    return scores.length == 0 ? 0 : scores[(int) (NEW * scores.length)];
  }

  /** The probability that a filter passes a document. */
  double chance(float[] vector) {
    int passed = classes.indexOf(LiveAnswer.PASSED);
    return passed < 0 ? 0 : LinearClassifier.probabilities(rows, vector)[passed];
  }

  /** Whether the fit knows an answer. */
  boolean knows(String answer) {
    return classes.contains(answer);
  }

  /**
   * What this classifier says about a document that it was not fitted to.
   *
   * @param weight number of documents that it stands for
   */
  AgreementChecks.Check check(float[] vector, String answer, double weight) {
    double[] probabilities = LinearClassifier.probabilities(rows, vector);
    int best = LinearClassifier.best(probabilities);
    boolean isNew = LinearClassifier.score(rows[best], vector) < leastScore;
    return new AgreementChecks.Check(
        classes.get(best), isNew ? 0 : probabilities[best], answer, weight);
  }

  /**
   * The classifier as it travels in a plan.
   *
   * @param thresholds the least confidence by answer; other answers are not given
   * @param agreement lower bound of the share of its answers that agree
   */
  TrainedClassifier trained(Map<String, Double> thresholds, double agreement) {
    return new TrainedClassifier(
        classes,
        TrainedClassifier.encode(rows),
        classes.stream()
            .map(answer -> thresholds.getOrDefault(answer, TrainedClassifier.NEVER))
            .toList(),
        agreement,
        examples,
        leastScore);
  }
}
