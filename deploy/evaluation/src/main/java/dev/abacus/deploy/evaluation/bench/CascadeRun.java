package dev.abacus.deploy.evaluation.bench;

import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.learned.TrainingResult;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One classifier with its training and test messages.
 *
 * @param classes possible answers as JSON
 * @param test test messages
 * @param seconds training time
 */
record CascadeRun(
    List<String> classes, List<LabelledVector> test, FittedClassifier fitted, double seconds) {

  /** Fits a classifier on {@code training} messages, drawn at random with the seed. */
  static CascadeRun of(
      List<String> classes,
      List<LabelledVector> pool,
      int training,
      List<LabelledVector> test,
      long seed) {
    List<LabelledVector> shuffled = new ArrayList<>(pool);
    Collections.shuffle(shuffled, new Random(seed));
    long start = System.nanoTime();
    FittedClassifier fitted = FittedClassifier.fit(shuffled.subList(0, training), classes);
    return new CascadeRun(classes, test, fitted, (System.nanoTime() - start) / 1e9);
  }

  /**
   * Test results for one target.
   *
   * @param accuracy share of correct answers if the classifier answers everything
   * @param alone share of messages that it answers without a model
   * @param precision share of correct answers among those; NaN if there are none
   */
  record Outcome(double accuracy, double alone, double precision) {}

  /** Returns the test results for a target; null if no classifier reaches it. */
  @Nullable Outcome at(double target) {
    if (!(fitted.at(target) instanceof TrainingResult.Trained(TrainedClassifier trained, var _))) {
      return null;
    }
    LinearClassifier classifier = LinearClassifier.of(trained);
    float[][] rows = trained.rows();
    int accurate = 0;
    int alone = 0;
    int right = 0;
    for (LabelledVector message : test) {
      String truth = classes.get(message.answer());
      int best = LinearClassifier.best(LinearClassifier.probabilities(rows, message.vector()));
      accurate += trained.classes().get(best).equals(truth) ? 1 : 0;
      String answer = classifier.answer(message.vector());
      alone += answer == null ? 0 : 1;
      right += truth.equals(answer) ? 1 : 0;
    }
    double messages = test.size();
    return new Outcome(accurate / messages, alone / messages, (double) right / alone);
  }
}
