package dev.abacus.optimizer.search.pareto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The items that no inserted item dominates (paper, section 3.2), pruned on every insert. The
 * result is exact and does not depend on the order of inserts.
 *
 * <p>Of items with equal metrics, the smallest by a total order is kept, so that the frontier
 * depends only on the set of inserted items.
 *
 * <p>Idea: entries are sorted lexicographically by their metrics, in flat arrays of doubles. An
 * entry that dominates a vector is before it; entries that it dominates are after it. With one
 * metric there is a single entry. With two metrics, the second falls as the first rises (a
 * staircase): the neighbour decides whether a vector is dominated, and the dominated entries are
 * adjacent. With three or more metrics, the entries on the relevant side are scanned, which takes a
 * few nanoseconds each.
 *
 * <p>Not thread-safe.
 */
public final class ParetoFrontier<T> {

  private final Metric[] metrics;
  private final int width;
  private final Comparator<? super T> ties;
  private final List<T> items = new ArrayList<>();

  /** Row after row of {@link #width} values, smaller being better. */
  private double[] rows;

  private final double[] probe;

  /**
   * An empty frontier.
   *
   * @param metrics at least one
   * @param ties a total order; the smallest of equal items is kept
   */
  public ParetoFrontier(Set<Metric> metrics, Comparator<? super T> ties) {
    this.metrics = new Dominance(metrics).metrics().toArray(new Metric[0]);
    this.width = this.metrics.length;
    this.ties = ties;
    this.rows = new double[16 * width];
    this.probe = new double[width];
  }

  /** The frontier of some items. */
  public static <T> ParetoFrontier<T> of(
      Collection<? extends T> items,
      Function<? super T, MetricVector> vector,
      Set<Metric> metrics,
      Comparator<? super T> ties) {
    ParetoFrontier<T> frontier = new ParetoFrontier<>(metrics, ties);
    items.forEach(item -> frontier.insert(vector.apply(item), item));
    return frontier;
  }

  /**
   * Adds an item unless an entry dominates it, and removes the entries that it dominates.
   *
   * @return whether the item was added
   */
  public boolean insert(MetricVector vector, T item) {
    return insert(vector.quality(), vector.cost(), vector.latency(), vector.cardinality(), item);
  }

  /** As {@link #insert(MetricVector, Object)}, without an object; no value may be NaN. */
  public boolean insert(double quality, double cost, double latency, double cardinality, T item) {
    fillProbe(quality, cost, latency, cardinality);
    int at = firstNotBefore();
    if (at < items.size() && compareRow(at) == 0) {
      if (ties.compare(item, items.get(at)) >= 0) {
        return false;
      }
      items.set(at, item);
      return true;
    }
    if (dominatedBefore(at)) {
      return false;
    }
    if (width <= 2) {
      replaceRun(at, endOfDominatedRun(at), item);
    } else {
      dropDominatedFrom(at);
      replaceRun(at, at, item);
    }
    return true;
  }

  /** Whether an entry dominates this vector. */
  public boolean dominates(double quality, double cost, double latency, double cardinality) {
    fillProbe(quality, cost, latency, cardinality);
    return dominatedBefore(firstNotBefore());
  }

  /** Whether an entry dominates this vector. */
  public boolean dominates(MetricVector vector) {
    return dominates(vector.quality(), vector.cost(), vector.latency(), vector.cardinality());
  }

  /** The items on the frontier, the best by the first metric first. */
  public List<T> items() {
    return Collections.unmodifiableList(items);
  }

  public int size() {
    return items.size();
  }

  public boolean isEmpty() {
    return items.isEmpty();
  }

  private void fillProbe(double quality, double cost, double latency, double cardinality) {
    for (int i = 0; i < width; i++) {
      probe[i] =
          switch (metrics[i]) {
            case QUALITY -> -quality;
            case COST -> cost;
            case LATENCY -> latency;
            case CARDINALITY -> cardinality;
          };
    }
  }

  /** Index of the first row that is not lexicographically before the probe. */
  private int firstNotBefore() {
    int low = 0;
    int high = items.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareRow(middle) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sign of row minus probe, lexicographically. */
  private int compareRow(int row) {
    int start = row * width;
    for (int i = 0; i < width; i++) {
      double difference = rows[start + i] - probe[i];
      if (difference != 0) {
        return difference < 0 ? -1 : 1;
      }
    }
    return 0;
  }

  /** Whether a row before {@code end} dominates the probe; those rows are no worse in column 0. */
  private boolean dominatedBefore(int end) {
    if (end == 0) {
      return false;
    }
    if (width <= 2) {
      // The row directly before has the least second value of all earlier rows.
      return width == 1 || rows[end * 2 - 1] <= probe[1];
    }
    for (int row = end - 1; row >= 0; row--) {
      if (rowCoversProbe(row * width)) {
        return true;
      }
    }
    return false;
  }

  private boolean rowCoversProbe(int start) {
    for (int i = 1; i < width; i++) {
      if (rows[start + i] > probe[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean probeCoversRow(int start) {
    for (int i = 1; i < width; i++) {
      if (rows[start + i] < probe[i]) {
        return false;
      }
    }
    return true;
  }

  /** The end of the rows from {@code at} on that the probe dominates, on a staircase. */
  private int endOfDominatedRun(int at) {
    int end = at;
    while (end < items.size() && rows[(end + 1) * width - 1] >= probe[width - 1]) {
      end++;
    }
    return end;
  }

  private void dropDominatedFrom(int at) {
    int kept = at;
    int size = items.size();
    for (int row = at; row < size; row++) {
      if (!probeCoversRow(row * width)) {
        if (kept != row) {
          System.arraycopy(rows, row * width, rows, kept * width, width);
          items.set(kept, items.get(row));
        }
        kept++;
      }
    }
    items.subList(kept, size).clear();
  }

  /** Replaces the rows from {@code at} to {@code end}, exclusive, by the probe. */
  private void replaceRun(int at, int end, T item) {
    int values = items.size() * width;
    if (values + width > rows.length) {
      rows = Arrays.copyOf(rows, rows.length * 2);
    }
    if (end != at + 1) {
      System.arraycopy(rows, end * width, rows, (at + 1) * width, values - end * width);
    }
    System.arraycopy(probe, 0, rows, at * width, width);
    if (end == at) {
      items.add(at, item);
    } else {
      items.set(at, item);
      items.subList(at + 1, end).clear();
    }
  }
}
