package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.pareto.DominancePrefilter;
import java.util.Arrays;

/** A table of metric values, smaller being better, with a label per row. */
final class LabelledRows {

  private final int width;
  private double[] values;
  private int[] labels = new int[64];
  private int count;

  LabelledRows(int width) {
    this.width = width;
    this.values = new double[64 * width];
  }

  /** Adds a row from an array, rounded as by {@link OperatorEstimate#rounded()}. */
  void add(double[] rows, int start, int label) {
    if (count == labels.length) {
      labels = Arrays.copyOf(labels, count * 2);
      values = Arrays.copyOf(values, count * 2 * width);
    }
    for (int column = 0; column < width; column++) {
      values[count * width + column] = OperatorEstimate.rounded(rows[start + column]);
    }
    labels[count++] = label;
  }

  /** Tells a prefilter of all rows. */
  void addTo(DominancePrefilter prefilter) {
    for (int i = 0; i < count; i++) {
      prefilter.add(values, i * width);
    }
  }

  /** The values, row after row; the array may be longer than {@link #count} rows. */
  double[] values() {
    return values;
  }

  int label(int row) {
    return labels[row];
  }

  int count() {
    return count;
  }
}
