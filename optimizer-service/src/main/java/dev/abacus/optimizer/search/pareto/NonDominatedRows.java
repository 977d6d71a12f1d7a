package dev.abacus.optimizer.search.pareto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The rows of a table that no other row dominates (the skyline), smaller being better in every
 * column.
 *
 * <p>Idea (Kung, Luccio, Preparata: On finding the maxima of a set of vectors, 1975): in
 * lexicographic order, only an earlier row can dominate a later one. With two columns, one pass
 * compares with the least second value so far. With three, a staircase of second and third values
 * is searched by bisection. With four or more, the kept rows are scanned.
 *
 * @param rows row after row of {@code width} values, none NaN
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NonDominatedRows(double[] rows, int width) {

  /**
   * The indices of the non-dominated rows, in lexicographic order. Equal rows are all kept,
   * adjacent and in order of their indices.
   *
   * @param rows row after row of {@code width} values, none NaN
   * @param count number of rows
   * @param width number of columns, at least 1
   */
  public static int[] of(double[] rows, int count, int width) {
    return new NonDominatedRows(rows, width).nonDominated(count);
  }

  /**
   * The items that rows stand for; of equal rows, the smallest item.
   *
   * @param order indices of rows, equal ones adjacent
   * @param item of a row
   */
  public static <T> List<T> smallest(
      double[] rows, int width, int[] order, IntFunction<T> item, Comparator<? super T> ties) {
    NonDominatedRows table = new NonDominatedRows(rows, width);
    List<T> smallest = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      T next = item.apply(order[i]);
      if (i == 0 || !table.equalRows(order[i - 1], order[i])) {
        smallest.add(next);
      } else if (ties.compare(next, smallest.getLast()) < 0) {
        smallest.set(smallest.size() - 1, next);
      }
    }
    return smallest;
  }

  private boolean equalRows(int one, int other) {
    return Arrays.equals(
        rows, one * width, one * width + width, rows, other * width, other * width + width);
  }

  private int[] nonDominated(int count) {
    int[] order = RowOrder.of(rows, count, width);
    Staircase stairs = new Staircase();
    int kept = 0;
    for (int row : order) {
      boolean twin = kept > 0 && equalRows(row, order[kept - 1]);
      boolean keeps =
          twin
              || switch (width) {
                case 1 -> kept == 0;
                case 2 -> kept == 0 || rows[row * 2 + 1] < rows[order[kept - 1] * 2 + 1];
                case 3 -> stairs.add(rows[row * 3 + 1], rows[row * 3 + 2]);
                default -> !covered(row, order, kept);
              };
      if (keeps) {
        order[kept++] = row;
      }
    }
    return Arrays.copyOf(order, kept);
  }

  private boolean covered(int row, int[] kept, int count) {
    int at = row * width;
    for (int i = count - 1; i >= 0; i--) {
      int other = kept[i] * width;
      int column = 1;
      while (column < width && rows[other + column] <= rows[at + column]) {
        column++;
      }
      if (column == width) {
        return true;
      }
    }
    return false;
  }

  /** Points that do not dominate each other: the second value falls as the first rises. */
  private static final class Staircase {

    private final NavigableMap<Double, Double> points = new TreeMap<>();

    /**
     * Adds a point unless another is no worse in both values; removes points that are no better.
     */
    boolean add(double x, double y) {
      Map.Entry<Double, Double> before = points.floorEntry(x);
      if (before != null && before.getValue() <= y) {
        return false;
      }
      Iterator<Double> after = points.tailMap(x, true).values().iterator();
      while (after.hasNext() && after.next() >= y) {
        after.remove();
      }
      points.put(x, y);
      return true;
    }
  }
}
