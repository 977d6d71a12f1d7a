package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.DominancePrefilter;
import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.Arrays;

/** Rows of metrics to compare, less being better, each with a number that says what it is of. */
final class LabelledRows {

  private final int width;
  private double[] values;
  private int[] labels = new int[64];
  private int count;

  LabelledRows(int width) {
    this.width = width;
    this.values = new double[64 * width];
  }

  /** Adds the row at a place in an array, rounded as {@link MetricVector#rounded()} does. */
  void add(double[] rows, int start, int label) {
    if (count == labels.length) {
      labels = Arrays.copyOf(labels, count * 2);
      values = Arrays.copyOf(values, count * 2 * width);
    }
    for (int column = 0; column < width; column++) {
      values[count * width + column] = MetricVector.rounded(rows[start + column]);
    }
    labels[count++] = label;
  }

  /** Tells a sieve of all rows. */
  void note(DominancePrefilter sieve) {
    for (int i = 0; i < count; i++) {
      sieve.note(values, i * width);
    }
  }

  /** Row after row; more than {@link #count} may have room. */
  double[] values() {
    return values;
  }

  int label(int row) {
    return labels[row];
  }

  int count() {
    return count;
  }

  boolean equalRows(int one, int other) {
    return Arrays.equals(
        values, one * width, (one + 1) * width, values, other * width, (other + 1) * width);
  }
}
