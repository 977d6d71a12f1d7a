package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.learned.LogisticRegression;
import dev.abacus.optimizer.learning.AgreementChecks.Check;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.Comparator;
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
 * @param leastScore below it a document is like nothing seen before; null for none
 * @param examples number of answers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FittedAnswers(
    List<String> classes, float[][] rows, @Nullable Double leastScore, int examples) {

  /** A larger number of classes would take too long to fit. */
  private static final int MOST_CLASSES = 200;

  /** Share of the documents whose answer was foreseen that are taken for new ones. */
  private static final double NEW = 0.03;

  /** An answer with the embedding of its document. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Example(long number, float[] vector, String answer) {}

  /**
   * Fits a classifier.
   *
   * @param fresh the latest checks, of documents that no fit knew
   * @param before the fit before, near which this one is; null for none
   * @return null if there are too few or too many different answers
   */
  static @Nullable FittedAnswers of(
      List<Example> known, List<Check> fresh, @Nullable FittedAnswers before) {
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
    return new FittedAnswers(classes, rows, leastScore(fresh), known.size());
  }

  /**
   * The score that all but a few documents reached whose answer was foreseen; null for none. The
   * fitted documents do not tell: they score higher than any other, the more so the fewer they are.
   */
  private static @Nullable Double leastScore(List<Check> fresh) {
    List<Check> foreseen =
        fresh.stream()
            .filter(Check::agrees)
            .sorted(Comparator.comparingDouble(Check::score))
            .toList();
    double left = NEW * foreseen.stream().mapToDouble(Check::weight).sum();
    for (Check check : foreseen) {
      left -= check.weight();
      if (left < 0) {
        return check.score();
      }
    }
    return null;
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
  Check check(float[] vector, String answer, double weight) {
    double[] probabilities = LinearClassifier.probabilities(rows, vector);
    int best = LinearClassifier.best(probabilities);
    double score = LinearClassifier.score(rows[best], vector);
    boolean isNew = leastScore != null && score < leastScore;
    return new Check(classes.get(best), isNew ? 0 : probabilities[best], score, answer, weight);
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
