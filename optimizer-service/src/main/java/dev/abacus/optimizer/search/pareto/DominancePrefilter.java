package dev.abacus.optimizer.search.pareto;

import java.util.Arrays;

/**
 * A coarse look at many rows that drops most of the dominated ones for a few nanoseconds each; what
 * passes is for {@link NonDominatedRows} to judge. Less is better in every column; it never drops a
 * row that nothing noted dominates.
 *
 * <p>Idea: all columns but the first are cut into bins, evenly in logarithms, and every cell of
 * bins remembers the least first value seen in it. A row is dominated if a cell that is before its
 * own in every binned column has a first value no greater; the least over all such cells is a
 * running minimum over the grid, taken once.
 */
public final class DominancePrefilter {

  /** Grids of about 2^16 cells: they stay in the second-level cache. */
  private static final int[] BINS = {0, 1, 1 << 15, 256, 40, 16};

  private final int width;
  private final int bins;
  private final long[] origin;
  private final double[] scale;
  private final double[] least;

  private DominancePrefilter(double[] lows, double[] highs, int rows) {
    this.width = lows.length;
    // With one binned column there can be more bins than rows to tell apart.
    this.bins = width == 2 ? Math.min(BINS[2], Integer.highestOneBit(rows)) : BINS[width];
    this.origin = new long[width];
    this.scale = new double[width];
    int cells = 1;
    for (int column = 1; column < width; column++) {
      // The bits of a positive double grow as its logarithm does, near enough.
      origin[column] = bits(Math.max(lows[column], highs[column] * 1e-9));
      scale[column] = (bins - 1) / (double) Math.max(1, bits(highs[column]) - origin[column]);
      cells *= bins;
    }
    this.least = new double[cells];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
  }

  /** An empty prefilter with bins over the range of some rows; others may be beyond. */
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

  /** Takes notice of a row; {@link #close} has to come before the next {@link #passes}. */
  public void add(double[] row, int start) {
    int cell = 0;
    for (int column = 1; column < width; column++) {
      cell = cell * bins + bin(column, row[start + column]);
    }
    if (row[start] < least[cell]) {
      least[cell] = row[start];
    }
  }

  /** Ends taking notice for now: {@link #passes} may be asked. */
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

  /** False only if a row that was noted dominates this one. */
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
