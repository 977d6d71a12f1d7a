package dev.abacus.optimizer.learning;

import static dev.abacus.optimizer.learning.AgreementChecks.PRIOR_OF_CLASS;
import static dev.abacus.optimizer.learning.AgreementChecks.STRATA;

import dev.abacus.optimizer.learning.AgreementChecks.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many documents a predicted answer takes from the other answers of the implementation. If 3 %
 * of the documents pass a filter, a classifier that always says no agrees for 97 %, and takes all
 * that pass.
 *
 * <p>Estimated by strata, as the agreement is: of the checks with one predicted answer in a small
 * range of confidence, the share with each answer of the implementation, times the documents that
 * these checks stand for.
 */
final class TakenDocuments {

  /** Ranges that the last one of the agreement is halved into: a frequent answer is nearly sure. */
  private static final int HALVES = 5;

  private final Map<String, Stratum[]> strata = new HashMap<>();
  private final Map<String, Integer> checks = new HashMap<>();
  private final Map<String, Double> documents = new HashMap<>();

  /** Checks with one predicted answer in a range of confidence. */
  private static final class Stratum {
    private final Map<String, Integer> answers = new HashMap<>();
    private int number;
    private double weight;

    private void add(Check check) {
      answers.merge(check.answer(), 1, Integer::sum);
      number++;
      weight += check.weight();
    }

    /** Number of documents with this answer. */
    private double documents(String answer) {
      return number == 0 ? 0 : weight * answers.getOrDefault(answer, 0) / number;
    }
  }

  TakenDocuments(List<Check> all) {
    for (Check check : all) {
      strata
          .computeIfAbsent(
              check.predicted(),
              _ -> Stream.generate(Stratum::new).limit(STRATA + HALVES).toArray(Stratum[]::new))[
          stratum(check.confidence())]
          .add(check);
      checks.merge(check.answer(), 1, Integer::sum);
    }
    for (String answer : checks.keySet()) {
      documents.put(
          answer, strata.keySet().stream().mapToDouble(one -> taken(one, answer, 0)).sum());
    }
  }

  private static int stratum(double confidence) {
    int stratum = AgreementChecks.stratum(confidence);
    while (stratum >= STRATA - 1
        && stratum < STRATA + HALVES - 1
        && confidence >= least(stratum + 1)) {
      stratum++;
    }
    return stratum;
  }

  /** The least confidence of a stratum. */
  private static double least(int stratum) {
    return stratum < STRATA
        ? (double) stratum / STRATA
        : 1 - Math.scalb(1.0 / STRATA, STRATA - 1 - stratum);
  }

  /** This least confidence of a stratum of the agreement, and those that are in it. */
  static DoubleStream levels(double confidence) {
    int stratum = stratum(confidence);
    return IntStream.range(stratum, stratum < STRATA - 1 ? stratum + 1 : STRATA + HALVES)
        .mapToDouble(TakenDocuments::least);
  }

  /** Number of documents with an answer for which another one is predicted from a confidence on. */
  private double taken(String predicted, String answer, double confidence) {
    Stratum[] all = strata.getOrDefault(predicted, new Stratum[0]);
    return IntStream.range(0, all.length)
        .filter(i -> least(i) >= confidence)
        .mapToDouble(i -> all[i].documents(answer))
        .sum();
  }

  /**
   * Whether a predicted answer, from a confidence on, takes few documents from the others. Of two
   * answers, as of a filter, that is proven by the checks of the other one. Of more answers none
   * has that many checks: those that are at most half as frequent lose no more than the target
   * allows in the mean ({@value AgreementChecks#PRIOR_OF_CLASS} more checks allow for chance). Of
   * the others an answer cannot take much without being wrong often.
   */
  boolean areFew(String predicted, double confidence, double target) {
    boolean areTwo = checks.size() == 2;
    return checks.entrySet().stream()
        .filter(other -> !other.getKey().equals(predicted))
        .filter(other -> areTwo || isRarer(other.getKey(), predicted))
        .allMatch(other -> {
          int number = other.getValue();
          double share =
              taken(predicted, other.getKey(), confidence)
                  / documents.getOrDefault(other.getKey(), 1.0);
          double lost = number * share;
          return areTwo
              ? lost <= (1 - target) * number
                  && AgreementChecks.isLikeOthers(number, number - lost, target, target)
              : lost <= (1 - target) * (number + PRIOR_OF_CLASS);
        });
  }

  private boolean isRarer(String answer, String other) {
    return 2 * documents.getOrDefault(answer, 0.0) <= documents.getOrDefault(other, 0.0);
  }
}
