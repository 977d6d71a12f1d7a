package dev.abacus.optimizer.learned;

import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The result of training a classifier for a target precision. */
public sealed interface TrainingResult {

  /**
   * A classifier that answers some inputs without a model.
   *
   * @param unseen cross-validated decisions, by example id
   */
  record Trained(TrainedClassifier classifier, SortedMap<String, Decision> unseen)
      implements TrainingResult {
    public Trained {
      unseen = Collections.unmodifiableSortedMap(new TreeMap<>(unseen));
    }
  }

  /**
   * No classifier reaches the target, so the model answers every input.
   *
   * @param reason a sentence for users
   */
  record Untrained(String reason) implements TrainingResult {}

  /**
   * The decision on an example that the classifier was not fitted on.
   *
   * @param answer the accepted answer as JSON text; null if the example is passed to a model
   * @param truth the right answer as JSON text
   * @param labelled whether the right answer is a label; else a model gave it
   */
  record Decision(@Nullable String answer, String truth, boolean labelled) {

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
