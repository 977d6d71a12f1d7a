package dev.abacus.optimizer.search.pareto;

import java.util.Arrays;

/**
 * A fast, incomplete test for dominated rows, a few nanoseconds per row. It reports most dominated
 * rows and never a non-dominated one; {@link NonDominatedRows} decides on the rest. Smaller is
 * better in every column.
 *
 * <p>Idea: all columns but the first are divided into bins, evenly on a logarithmic scale. Each
 * cell of bins stores the least first value of its rows. A row is dominated if a cell that is
 * smaller in every binned column contains a first value that is no greater. The least first value
 * over all such cells is a running minimum over the grid, computed once.
 */
public final class DominancePrefilter {

  /** By number of columns. Grids have about 2^16 cells, which fit into the second-level cache. */
  private static final int[] BINS = {0, 1, 1 << 15, 256, 40, 16};

  private final int width;
  private final int bins;
  private final long[] origin;
  private final double[] scale;
  private final double[] least;

  private DominancePrefilter(double[] lows, double[] highs, int rows) {
    this.width = lows.length;
    // With one binned column, more bins than rows would be useless.
    this.bins = width == 2 ? Math.min(BINS[2], Integer.highestOneBit(rows)) : BINS[width];
    this.origin = new long[width];
    this.scale = new double[width];
    int cells = 1;
    for (int column = 1; column < width; column++) {
      // The bits of a positive double are nearly linear in its logarithm.
      origin[column] = bits(Math.max(lows[column], highs[column] * 1e-9));
      scale[column] = (bins - 1) / (double) Math.max(1, bits(highs[column]) - origin[column]);
      cells *= bins;
    }
    this.least = new double[cells];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
  }

  /** An empty prefilter with bins over the range of these rows; later rows may be outside. */
  public static DominancePrefilter spanning(double[] rows, int count, int width) {
    double[] lows = new double[width];
    double[] highs = new double[width];
    Arrays.fill(lows, Double.POSITIVE_INFINITY);
    for (int at = 0; at < count * width; at += width) {
      for (int column = 1; column < width; column++) {
        lows[column] = Math.min(lows[column], rows[at + column]);
        highs[column] = Math.max(highs[column], rows[at + column]);
      }
    }
    return new DominancePrefilter(lows, highs, count);
  }

  /** Adds a row. Call {@link #finish} before the next {@link #passes}. */
  public void add(double[] row, int start) {
    int cell = 0;
    for (int column = 1; column < width; column++) {
      cell = cell * bins + bin(column, row[start + column]);
    }
    if (row[start] < least[cell]) {
      least[cell] = row[start];
    }
  }

  /** Updates the grid after {@link #add}, so that {@link #passes} may be called. */
  public void finish() {
    int stride = 1;
    for (int column = width - 1; column >= 1; column--) {
      for (int block = 0; block < least.length; block += stride * bins) {
        for (int cell = block + stride; cell < block + stride * bins; cell++) {
          least[cell] = Math.min(least[cell], least[cell - stride]);
        }
      }
      stride *= bins;
    }
  }

  /** False only if an added row dominates this row. */
  public boolean passes(double[] row, int start) {
    int cell = 0;
    for (int column = 1; column < width; column++) {
      int bin = bin(column, row[start + column]);
      if (bin == 0) {
        return true;
      }
      cell = cell * bins + bin - 1;
    }
    return width == 1 ? row[start] <= least[0] : row[start] < least[cell];
  }

  private int bin(int column, double value) {
    double bin = (bits(value) - origin[column]) * scale[column];
    return bin <= 0 ? 0 : Math.min(bins - 1, (int) bin);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }
}
