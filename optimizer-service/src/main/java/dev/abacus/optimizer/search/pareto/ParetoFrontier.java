package dev.abacus.optimizer.search.pareto;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;

/**
 * The items that no other item dominates (paper, section 3.2): {@code a} dominates {@code b} if it
 * is no worse in every metric and better in at least one.
 */
public final class ParetoFrontier {

  private ParetoFrontier() {}

  /**
   * The frontier of some items; it does not depend on their order.
   *
   * @param value of a metric of an item
   * @param metrics at least one
   * @param ties a total order; of items with equal metrics, the smallest is kept
   * @return the best by the first metric first
   * @throws IllegalArgumentException if there is no metric
   */
  public static <T> List<T> of(
      Collection<? extends T> items,
      ToDoubleBiFunction<? super T, Metric> value,
      Set<Metric> metrics,
      Comparator<? super T> ties) {
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("no metric to compare by");
    }
    Metric[] columns = Metric.columns(metrics);
    List<T> all = List.copyOf(items);
    double[] rows = new double[all.size() * columns.length];
    for (int i = 0; i < all.size(); i++) {
      for (int column = 0; column < columns.length; column++) {
        rows[i * columns.length + column] =
            columns[column].badness(value.applyAsDouble(all.get(i), columns[column]));
      }
    }
    int[] order = NonDominatedRows.of(rows, all.size(), columns.length);
    return NonDominatedRows.<T>smallest(rows, columns.length, order, all::get, ties);
  }
}
