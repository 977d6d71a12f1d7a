package dev.abacus.deploy.evaluation.sembench;

import dev.abacus.deploy.evaluation.load.Statistics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The scores by which SemBench compares systems, in [0, 1] but for correlations. */
final class MovieScore {

  private MovieScore() {}

  /**
   * F1 of answers and truth. If any {@code limit} of the right ones are asked for, recall is that
   * of so many.
   *
   * @param limit {@link Integer#MAX_VALUE} if all are asked for
   */
  static double f1(List<String> answers, Set<String> truth, int limit) {
    Set<String> given = new HashSet<>(answers.subList(0, Math.min(limit, answers.size())));
    if (given.isEmpty() || truth.isEmpty()) {
      return given.isEmpty() && truth.isEmpty() ? 1 : 0;
    }
    Set<String> right = new HashSet<>(given);
    right.retainAll(truth);
    double precision = (double) right.size() / given.size();
    double recall = (double) right.size() / Math.min(limit, truth.size());
    return right.isEmpty() ? 0 : 2 * precision * recall / (precision + recall);
  }

  /** 1 ÷ (1 + the mean relative error of the numbers); a missing number is 0. */
  static double closeness(Map<String, Double> answers, Map<String, Double> truth) {
    Set<String> keys = new TreeSet<>(answers.keySet());
    keys.addAll(truth.keySet());
    double error =
        keys.stream()
            .mapToDouble(key -> {
              double right = truth.getOrDefault(key, 0.0);
              double given = answers.getOrDefault(key, 0.0);
              return right == 0 ? (given == 0 ? 0 : 1) : Math.abs(given - right) / right;
            })
            .average()
            .orElse(0);
    return 1 / (1 + error);
  }

  /** Spearman's rank correlation of the numbers that both have, with mean ranks of equal ones. */
  static double correlation(Map<String, Double> answers, Map<String, Double> truth) {
    List<String> keys = new ArrayList<>(new TreeSet<>(answers.keySet()));
    keys.retainAll(truth.keySet());
    double[] one = ranks(keys.stream().map(answers::get).toList());
    double[] other = ranks(keys.stream().map(truth::get).toList());
    double slope = Statistics.slope(one, other);
    return Math.signum(slope) * Math.sqrt(slope * Statistics.slope(other, one));
  }

  /** The ranks of the values, from 1; equal values have the mean of their ranks. */
  private static double[] ranks(List<Double> values) {
    return values.stream()
        .mapToDouble(value -> {
          long smaller = values.stream().filter(other -> other < value).count();
          long equal = values.stream().filter(value::equals).count();
          return smaller + (equal + 1) / 2.0;
        })
        .toArray();
  }
}
