package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A classifier that is tested before it may answer. Each answer of the implementation that comes
 * after the fit is a check: it was not trained on.
 *
 * <p>The test looks for the lowest confidence from which on the answers agree often enough. It
 * tries fixed confidences from above, each with a {@link BettingTest}, and stops at the first that
 * is not shown to suffice (fixed-sequence testing, Angelopoulos et al. 2021). So the probability
 * that the result does not suffice is at most the risk, whenever one looks.
 */
final class CandidateClassifier {

  /** Above every probability: no answer is accepted. */
  private static final double NEVER = 2;

  /** The confidences that are tried: from 0.98 down to 0.10. */
  private static final int LEVELS = 23;

  private static final double HIGHEST = 0.98;
  private static final double STEP = 0.04;

  /** The first checks tell with which confidence to begin, so that it is not a rare one. */
  private static final int FIRST = 40;

  private static final double FIRST_SHARE = 0.4;

  /** A limit below is of no use to anybody. */
  private static final double LEAST_LIMIT = 0.5;

  private static final int BISECTIONS = 30;

  private final List<String> classes;
  private final float[][] rows;
  private final int examples;
  private final List<Check> checks = new ArrayList<>();
  private int start = -1;

  /**
   * A check.
   *
   * @param predicted index of the most probable class
   * @param confidence its probability
   * @param agrees whether it is the answer of the implementation
   */
  private record Check(int predicted, double confidence, boolean agrees) {}

  /**
   * The confidence that passed the test.
   *
   * @param share of the checks that are as confident
   * @param agreement lower bound of the share of these that agree, with the same risk
   */
  record Passed(double confidence, double share, double agreement) {}

  /**
   * What the answers have to reach.
   *
   * @param target the share that has to agree, of the answers of all classifiers together
   * @param risk probability of an error of the test
   * @param left share of all documents that reach this classifier
   * @param spare by how much the classifiers before it are above the target: the sum over them of
   *     the share of all documents that they answer, times their distance to the target
   */
  record Demand(double target, double risk, double left, double spare) {

    /** The share that has to agree if the classifier answers a share of what reaches it. */
    double limit(double share) {
      double own = share * left;
      return own <= 0 ? target : Math.clamp(target - spare / own, LEAST_LIMIT, target);
    }
  }

  CandidateClassifier(List<String> classes, float[][] rows, int examples) {
    this.classes = List.copyOf(classes);
    this.rows = rows;
    this.examples = examples;
  }

  /** The weights by answer. */
  Map<String, float[]> weights() {
    Map<String, float[]> byAnswer = new HashMap<>();
    for (int i = 0; i < rows.length; i++) {
      byAnswer.put(classes.get(i), rows[i]);
    }
    return byAnswer;
  }

  int checks() {
    return checks.size();
  }

  /** Takes in an answer to a document that was not trained on. */
  void check(float[] vector, String answer) {
    double[] probabilities = LinearClassifier.probabilities(rows, vector);
    int best = LinearClassifier.best(probabilities);
    checks.add(new Check(best, probabilities[best], classes.get(best).equals(answer)));
    if (checks.size() == FIRST) {
      start = 0;
      while (start < LEVELS && share(level(start)) < FIRST_SHARE) {
        start++;
      }
    }
  }

  private static double level(int number) {
    return HIGHEST - number * STEP;
  }

  private long confident(double confidence) {
    return checks.stream().filter(check -> check.confidence() >= confidence).count();
  }

  private long agreeing(double confidence) {
    return checks.stream()
        .filter(check -> check.confidence() >= confidence && check.agrees())
        .count();
  }

  private double share(double confidence) {
    return (double) confident(confidence) / checks.size();
  }

  /** The lowest confidence that passes the test; null if none does yet. */
  @Nullable Passed test(Demand demand) {
    Passed passed = null;
    for (int i = start; start >= 0 && i < LEVELS; i++) {
      double confidence = level(i);
      double share = share(confidence);
      long number = confident(confidence);
      long agreeing = agreeing(confidence);
      if (!exceeds(demand.limit(share), number, agreeing, demand.risk())) {
        break;
      }
      passed = new Passed(confidence, share, bound(number, agreeing, demand.risk()));
    }
    return passed;
  }

  private static boolean exceeds(double limit, long number, long agreeing, double risk) {
    return new BettingTest(limit, 1, true).capital(number, (double) agreeing, (double) agreeing)
        >= 1 / risk;
  }

  /** The largest limit that the share of the agreeing is shown to exceed. */
  private static double bound(long number, long agreeing, double risk) {
    double low = 0;
    double high = (double) agreeing / number;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (exceeds(middle, number, agreeing, risk)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The classifier, which answers from a confidence on. It never gives an answer that agreed less
   * often than the target in the checks with this confidence.
   */
  TrainedClassifier classifier(Passed passed, double target) {
    int[] number = new int[classes.size()];
    int[] agreeing = new int[classes.size()];
    for (Check check : checks) {
      if (check.confidence() >= passed.confidence()) {
        number[check.predicted()]++;
        agreeing[check.predicted()] += check.agrees() ? 1 : 0;
      }
    }
    List<Double> thresholds =
        new ArrayList<>(Collections.nCopies(classes.size(), passed.confidence()));
    for (int i = 0; i < number.length; i++) {
      if (agreeing[i] < target * number[i]) {
        thresholds.set(i, NEVER);
      }
    }
    return new TrainedClassifier(
        classes, TrainedClassifier.encode(rows), thresholds, passed.agreement(), examples);
  }
}
