package dev.abacus.optimizer.learned;

import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What came of training a classifier for a target. */
public sealed interface Training {

  /**
   * There is a classifier that may answer alone, sometimes.
   *
   * @param unseen by id of the example: what a classifier that had not seen it does with it. An
   *     answer, as JSON text, that it gives alone; or null where it passes the example on
   */
  record Trained(TrainedClassifier classifier, SortedMap<String, Decision> unseen)
      implements Training {
    public Trained {
      unseen = Collections.unmodifiableSortedMap(new TreeMap<>(unseen));
    }
  }

  /**
   * There is none, which is no error: the model answers all.
   *
   * @param reason in words for the user
   */
  record Untrained(String reason) implements Training {}

  /**
   * What a classifier does with an example that it has not seen.
   *
   * @param answer what it answers alone, as JSON text; null if it passes the example on to a model
   * @param truth the right answer, as JSON text
   * @param labelled whether a label says so; else a model did
   */
  record Decision(@Nullable String answer, String truth, boolean labelled) {

    /** Whether it answers without a model. */
    public boolean alone() {
      return answer != null;
    }

    /** Whether it answers without a model, and so. */
    public boolean right() {
      return truth.equals(answer);
    }
  }
}
