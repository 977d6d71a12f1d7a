package dev.abacus.optimizer.search.pareto;

/** A stable lexicographic sort of rows of doubles that creates no object per row. */
public final class RowOrder {

  private static final int SMALL = 12;

  private final double[] rows;
  private final int width;

  RowOrder(double[] rows, int width) {
    this.rows = rows;
    this.width = width;
  }

  /** The indices of values in ascending order. */
  public static int[] of(double[] values) {
    return new RowOrder(values, 1).sorted(values.length);
  }

  /** The indices of the first rows in ascending order. */
  int[] sorted(int count) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    sort(order.clone(), order, 0, count);
    return order;
  }

  /** Merge sort; both arrays hold the same indices within the range. */
  private void sort(int[] from, int[] into, int start, int end) {
    if (end - start <= SMALL) {
      insertionSort(into, start, end);
      return;
    }
    int middle = (start + end) >>> 1;
    sort(into, from, start, middle);
    sort(into, from, middle, end);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right == end || (left < middle && compare(from[left], from[right]) <= 0);
      into[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private void insertionSort(int[] order, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      int row = order[i];
      int at = i;
      while (at > start && compare(order[at - 1], row) > 0) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = row;
    }
  }

  private int compare(int one, int other) {
    int a = one * width;
    int b = other * width;
    for (int column = 0; column < width; column++) {
      double x = rows[a + column];
      double y = rows[b + column];
      if (x != y) {
        return x < y ? -1 : 1;
      }
    }
    return 0;
  }
}
