package dev.abacus.topology.scoring;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Normalized discounted cumulative gain (Järvelin and Kekäläinen 2002). An item at place i, counted
 * from 1, adds its gain ÷ log2(i + 1); the sum is divided by that of the best order.
 */
final class Ndcg {

  private Ndcg() {}

  /**
   * The score of an order, in [0, 1].
   *
   * @param order names of items, best first, each once
   * @param gains by name, not negative, at least one above 0; other items have no gain
   * @param first number of places that count
   */
  static double of(Collection<String> order, Map<String, Double> gains, int first) {
    List<Double> said = order.stream().map(name -> gains.getOrDefault(name, 0.0)).toList();
    List<Double> best = gains.values().stream().sorted(Comparator.reverseOrder()).toList();
    return Math.min(1, sum(said, first) / sum(best, first));
  }

  private static double sum(List<Double> gains, int first) {
    double sum = 0;
    for (int i = 0; i < Math.min(first, gains.size()); i++) {
      sum += gains.get(i) * Math.log(2) / Math.log(i + 2.0);
    }
    return sum;
  }
}
