package dev.abacus.optimizer.search.pareto;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The items that no other item dominates (paper, section 3.2): {@code a} dominates {@code b} if it
 * is no worse in every metric and better in at least one.
 */
public final class ParetoFrontier {

  private ParetoFrontier() {}

  /**
   * The frontier of some items; it does not depend on their order.
   *
   * @param metrics at least one
   * @param ties a total order; of items with equal metrics, the smallest is kept
   * @return the best by the first metric first
   * @throws IllegalArgumentException if there is no metric
   */
  public static <T> List<T> of(
      Collection<? extends T> items,
      Function<? super T, MetricVector> vector,
      Set<Metric> metrics,
      Comparator<? super T> ties) {
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("no metric to compare by");
    }
    Metric[] columns = Metric.columns(metrics);
    List<T> all = List.copyOf(items);
    double[] rows = new double[all.size() * columns.length];
    for (int i = 0; i < all.size(); i++) {
      double[] row = vector.apply(all.get(i)).row(columns);
      System.arraycopy(row, 0, rows, i * columns.length, columns.length);
    }
    int[] order = NonDominatedRows.of(rows, all.size(), columns.length);
    return NonDominatedRows.<T>smallest(rows, columns.length, order, all::get, ties);
  }
}
