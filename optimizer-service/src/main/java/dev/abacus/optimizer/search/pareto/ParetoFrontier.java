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
 * The items that nothing inserted so far dominates (paper, section 3.2), pruned on every insert.
 * Exact: no approximation, whatever the order of the inserts.
 *
 * <p>Of items that are equal on every metric that counts, the least by a total order is kept; so
 * the frontier depends on what was inserted and not on when.
 *
 * <p>Idea: entries are sorted by their first metric, then the second and so on, in flat arrays of
 * doubles. Whatever dominates a vector stands before it, whatever it dominates stands behind. With
 * one metric there is a single entry; with two the second falls as the first rises (a staircase),
 * so one look at the neighbour tells whether a vector is dominated, and what it dominates is a run
 * beside it. From three on the entries on the proper side are scanned, which costs a few
 * nanoseconds each.
 *
 * <p>Not safe for use by several threads.
 */
public final class ParetoFrontier<T> {

  private final Metric[] metrics;
  private final int width;
  private final Comparator<? super T> ties;
  private final List<T> items = new ArrayList<>();

  /** Row after row of {@link #width} values, less being better. */
  private double[] rows;

  private final double[] probe;

  /**
   * An empty frontier.
   *
   * @param metrics those that count; at least one
   * @param ties a total order; of equals the least is kept
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
   * Adds an item unless an entry dominates it, and drops the entries that it dominates.
   *
   * @return whether the item is on the frontier now
   */
  public boolean insert(MetricVector vector, T item) {
    return insert(vector.quality(), vector.cost(), vector.latency(), vector.cardinality(), item);
  }

  /** {@link #insert(MetricVector, Object)} for hot loops; no value may be NaN. */
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

  /** Whether an entry is better somewhere and worse nowhere than this vector. */
  public boolean dominates(double quality, double cost, double latency, double cardinality) {
    fillProbe(quality, cost, latency, cardinality);
    return dominatedBefore(firstNotBefore());
  }

  /** Whether an entry is better somewhere and worse nowhere than this vector. */
  public boolean dominates(MetricVector vector) {
    return dominates(vector.quality(), vector.cost(), vector.latency(), vector.cardinality());
  }

  /** What is on the frontier, the best by the first metric that counts first. */
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

  /** Rows before {@code end} are no worse by the first metric; one that covers the probe rules. */
  private boolean dominatedBefore(int end) {
    if (end == 0) {
      return false;
    }
    if (width <= 2) {
      // The neighbour has the least second value of all rows before.
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

  /** Where, on a staircase, the rows from {@code at} on that the probe dominates end. */
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

  /** Puts the probe in the place of the rows from {@code at} to {@code end}, exclusive. */
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
