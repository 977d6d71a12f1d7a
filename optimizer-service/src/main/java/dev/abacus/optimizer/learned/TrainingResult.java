package dev.abacus.optimizer.learned;

import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.Collections;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of training a classifier for a target precision.
 *
 * @param classifier answers some inputs without a model; null if none reaches the target, so that
 *     the model answers every input
 * @param unseen cross-validated decisions, by example id; empty without a classifier
 */
public record TrainingResult(
    @Nullable TrainedClassifier classifier, SortedMap<String, Decision> unseen) {

  /** No classifier. */
  public static final TrainingResult NONE = new TrainingResult(null, Collections.emptySortedMap());

  /**
   * The decision on an example that the classifier was not fitted on.
   *
   * @param answer the accepted answer as JSON text; null if the example is passed to a model
   * @param truth the right answer as JSON text
   * @param labelled whether the right answer is a label; else a model gave it
   */
  public record Decision(@Nullable String answer, String truth, boolean labelled) {

    /** Whether the classifier answers without a model. */
    public boolean isAnswered() {
      return answer != null;
    }

    /** Whether the classifier answers without a model and is right. */
    public boolean isCorrect() {
      return truth.equals(answer);
    }
  }
}
