package dev.abacus.optimizer.search.pareto;

import java.util.Arrays;
import java.util.Comparator;

/** A stable lexicographic sort of rows of doubles, none NaN. */
public final class RowOrder {

  private RowOrder() {}

  /** The indices of values in ascending order. */
  public static int[] of(double[] values) {
    return of(values, values.length, 1);
  }

  /** The indices of the first rows of {@code width} values each in ascending order. */
  static int[] of(double[] rows, int count, int width) {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, row -> row);
    Comparator<Integer> lexicographic =
        (one, other) -> compare(rows, one * width, other * width, width);
    Arrays.sort(order, lexicographic);
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  /** Unlike that of arrays, takes 0 and −0 for equal. */
  private static int compare(double[] rows, int one, int other, int width) {
    for (int column = 0; column < width; column++) {
      double x = rows[one + column];
      double y = rows[other + column];
      if (x != y) {
        return x < y ? -1 : 1;
      }
    }
    return 0;
  }
}
