package dev.abacus.optimizer.learning;

import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How often classifiers agreed with the implementation on documents that they were not fitted to,
 * by confidence. Each document was scored by the latest fit, before the next one learnt from it
 * (progressive validation, Blum, Kalai and Langford 1999). So the checks are about the way of
 * learning, and a better fit does not begin anew.
 *
 * <p>Documents that a classifier answered are seen only if they were audited. So the agreement from
 * a confidence on is that of its strata: of each small range of confidence, the share of checks
 * that agree, weighted with the documents that they stand for.
 *
 * <pre>
 *   agreement = Σ s p,   variance = Σ s² p (1 − p) / n    over strata: share s, n checks
 * </pre>
 */
final class AgreementChecks {

  /** Number of ranges of confidence. */
  static final int STRATA = 25;

  /** An answer with less confidence is not given. */
  private static final int LEAST_STRATUM = 8;

  /** Fewer checks say nothing. */
  private static final int LEAST = 40;

  /** Probability that a bound is above the truth at any time. */
  private static final double RISK = 0.05;

  /** Number of checks at which the bound is closest. */
  private static final double CLOSEST = 50;

  /** 95 % quantile of the normal distribution. */
  private static final double DEVIATIONS = 1.645;

  /** Answers that count as given from the beginning, in the scatter of their mean. */
  private static final double GIVEN = 100;

  static final int PRIOR_OF_CLASS = 5;

  /**
   * An answer that errs so many times as often as the target allows, or half of the time, must not
   * be given.
   */
  private static final double ERRORS_OF_CLASS = 3;

  /** No model agrees with itself more often, for a single error must not rule out an answer. */
  private static final double MOST_AGREEMENT = 0.99;

  /** Probability that such an answer is given at any time. */
  private static final double RISK_OF_CLASS = 0.1;

  private final List<Check> checks;

  /**
   * A check.
   *
   * @param predicted the most probable answer
   * @param confidence its probability; 0 if the document is like nothing seen before
   * @param score of the document for that answer, by which new documents are told
   * @param answer the answer of the implementation
   * @param weight number of documents that it stands for: 1 ÷ the probability of being asked
   */
  record Check(String predicted, double confidence, double score, String answer, double weight) {

    boolean agrees() {
      return predicted.equals(answer);
    }
  }

  /**
   * The agreement from a confidence on.
   *
   * @param number of checks
   * @param error standard error
   */
  record Agreement(double confidence, int number, double mean, double error) {

    /** As often as from a lower confidence on. */
    Agreement from(double higher) {
      return new Agreement(higher, number, mean, error);
    }

    /** Lower bound, whenever one looks. */
    double bound() {
      return mean - error * deviations(number);
    }

    /**
     * By how much the mean of the answers may be below their expectation by chance.
     *
     * @param given number of answers so far
     */
    double scatter(double given) {
      return DEVIATIONS * Math.sqrt(mean * (1 - mean) / (GIVEN + given));
    }
  }

  /**
   * How many standard errors a bound of a mean is away from it, so that it holds whenever one looks
   * (time-uniform, Waudby-Smith et al. 2024).
   */
  static double deviations(int number) {
    double ratio = number / CLOSEST;
    return Math.sqrt((1 + 1 / ratio) * Math.log((1 + ratio) / (4 * RISK * RISK)));
  }

  /** The range of a confidence. */
  static int stratum(double confidence) {
    return (int) Math.min(STRATA - 1, confidence * STRATA);
  }

  AgreementChecks(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /**
   * The lowest confidence from which on answers are shown to agree as often as they must. It tries
   * confidences from above and stops at the first that is not shown to suffice (fixed-sequence
   * testing, Angelopoulos et al. 2021). Null if none is.
   *
   * @param given number of answers so far: the mean of few scatters, and has to reach the target
   */
  @Nullable Agreement proven(double target, double given) {
    Agreement proven = null;
    for (Agreement agreement : agreements(LEAST)) {
      if (agreement.bound() - agreement.scatter(given) < target) {
        break;
      }
      proven = agreement;
    }
    return proven;
  }

  /**
   * The least confidence, not below one, from which on the answers agree often enough in the mean;
   * null if there is none.
   */
  @Nullable Agreement likely(double target, double given, double least) {
    return agreements(LEAST).reversed().stream()
        .filter(one -> one.confidence() >= least)
        .filter(one -> one.mean() - one.scatter(given) >= target)
        .findFirst()
        .orElse(null);
  }

  /** The agreement from each confidence on that has so many checks, the highest first. */
  private List<Agreement> agreements(int least) {
    double[] weights = new double[STRATA];
    int[] number = new int[STRATA];
    int[] agreeing = new int[STRATA];
    for (Check check : checks) {
      int stratum = stratum(check.confidence());
      weights[stratum] += check.weight();
      number[stratum]++;
      agreeing[stratum] += check.agrees() ? 1 : 0;
    }
    List<Agreement> agreements = new ArrayList<>();
    double weight = 0;
    double sum = 0;
    double variance = 0;
    int count = 0;
    for (int i = STRATA - 1; i >= LEAST_STRATUM; i--) {
      if (number[i] > 0) {
        // Two more checks, of which one agrees (Agresti and Coull 1998).
        double careful = (agreeing[i] + 1.0) / (number[i] + 2.0);
        weight += weights[i];
        sum += weights[i] * agreeing[i] / number[i];
        variance += weights[i] * weights[i] * careful * (1 - careful) / number[i];
        count += number[i];
      }
      if (count >= least) {
        agreements.add(
            new Agreement((double) i / STRATA, count, sum / weight, Math.sqrt(variance) / weight));
      }
    }
    return agreements;
  }

  /**
   * The least confidence by answer, from a confidence on: the lowest from which on the answer's own
   * checks agree as often as the target, as far as they are known ({@value #PRIOR_OF_CLASS} more
   * count as those of all answers), and prove that it does not err {@value #ERRORS_OF_CLASS} times
   * as often as the target allows, and from which on it takes no more documents from another answer
   * than the target allows ({@link TakenDocuments}). Checks of the time before an answer was given
   * count as one each: they have more of the less confident documents, so they do not flatter it.
   *
   * <p>What is left when other answers may not be given is shown to agree, too: if it is not, the
   * answers that agree least often are left out until it is.
   *
   * @param given number of answers so far
   */
  Map<String, Double> thresholds(double confidence, double target, double given) {
    Map<String, List<Check>> byAnswer =
        checks.stream()
            .filter(check -> check.confidence() >= confidence)
            .collect(Collectors.groupingBy(Check::predicted));
    List<Agreement> allowed =
        agreements(LEAST).reversed().stream()
            .filter(all -> all.confidence() >= confidence)
            .flatMap(all -> TakenDocuments.levels(all.confidence()).mapToObj(all::from))
            .toList();
    TakenDocuments taken = new TakenDocuments(checks);
    Map<String, Double> thresholds = new HashMap<>();
    byAnswer.forEach((answer, own) ->
        allowed.stream()
            .filter(all -> suffices(target, own, all))
            .filter(all -> taken.areFew(answer, all.confidence(), target))
            .findFirst()
            .ifPresent(all -> thresholds.put(answer, all.confidence())));
    List<Check> answered = answered(thresholds);
    while (!answered.isEmpty() && !agree(answered, target, given)) {
      thresholds.remove(worst(answered));
      answered = answered(thresholds);
    }
    return thresholds;
  }

  private List<Check> answered(Map<String, Double> thresholds) {
    return checks.stream()
        .filter(check ->
            check.confidence()
                >= thresholds.getOrDefault(check.predicted(), TrainedClassifier.NEVER))
        .toList();
  }

  private static boolean agree(List<Check> answered, double target, double given) {
    Agreement all = new AgreementChecks(answered).agreements(1).getLast();
    return all.bound() - all.scatter(given) >= target;
  }

  /** The answer that agrees least often. */
  private static String worst(List<Check> answered) {
    Map<String, Double> agreements =
        answered.stream()
            .collect(
                Collectors.groupingBy(
                    Check::predicted,
                    TreeMap::new,
                    Collectors.averagingDouble(check -> check.agrees() ? 1 : 0)));
    return Collections.min(agreements.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  private static boolean suffices(double target, List<Check> own, Agreement all) {
    List<Check> confident =
        own.stream().filter(check -> check.confidence() >= all.confidence()).toList();
    int number = confident.size();
    long agreeing = confident.stream().filter(Check::agrees).count();
    return agreeing + PRIOR_OF_CLASS * all.mean() >= target * (number + PRIOR_OF_CLASS)
        && isLikeOthers(number, (double) agreeing, all.mean(), target);
  }

  /**
   * Whether an answer agrees like others and does not err {@value #ERRORS_OF_CLASS} times as often
   * as the target allows: a sequential probability ratio test, valid whenever one looks (Wald
   * 1945).
   *
   * @param agreeing of the number; a mean may be between two counts
   */
  static boolean isLikeOthers(int number, double agreeing, double others, double target) {
    double limit = Math.max(0.5, 1 - ERRORS_OF_CLASS * (1 - target));
    double share = Math.min(others, MOST_AGREEMENT);
    return share > limit
        && agreeing * Math.log(share / limit)
                + (number - agreeing) * Math.log((1 - share) / (1 - limit))
            >= -Math.log(RISK_OF_CLASS);
  }
}
