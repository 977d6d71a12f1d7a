package dev.abacus.optimizer.search.pareto;

import java.util.Arrays;

/**
 * A subset of rows that approximates all of them: an ε-approximate Pareto set (Laumanns, Thiele,
 * Deb, Zitzler: Combining convergence and diversity in evolutionary multiobjective optimization,
 * 2002). All columns but the first are divided into cells whose ends differ by the factor {@code 1
 * + error}. Of the rows of one cell, the one with the least first value is kept. So for every
 * dropped row, a kept row is no worse in the first column, and worse by at most the factor {@code 1
 * + error} in the others.
 *
 * @param rows indices of the kept rows, in input order
 * @param error the largest factor − 1 by which a kept row is worse than a dropped row that it
 *     represents; 0 if no needed row was dropped
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EpsilonThinning(int[] rows, double error) {

  private static final double FINEST = 1e-7;

  /**
   * Keeps at most {@code limit} rows. The cells are at most about 1.2 times larger than necessary.
   *
   * @param values row after row of {@code width} values; columns from the second on are not
   *     negative
   * @param indices the rows to select from
   */
  public static EpsilonThinning of(double[] values, int width, int[] indices, int limit) {
    if (indices.length <= limit || width == 1) {
      return new EpsilonThinning(indices, 0);
    }
    double[] logs = logs(values, width, indices);
    double error = coarse(logs, width, limit);
    while (occupied(logs, width, error, limit) > limit) {
      error *= 2;
    }
    for (int step = 0; step < 40 && error > FINEST; step++) {
      double finer = error / 2;
      if (occupied(logs, width, finer, limit) > limit) {
        break;
      }
      error = finer;
    }
    for (double finer : new double[] {error / 1.7, error / 1.4, error / 1.2}) {
      if (occupied(logs, width, finer, limit) <= limit) {
        error = finer;
        break;
      }
    }
    return new EpsilonThinning(best(values, width, indices, logs, error), error);
  }

  private static int occupied(double[] logs, int width, double error, int limit) {
    return new Cells(2 * limit).count(logs, width, error, limit);
  }

  /** A cell size that meets the limit even if every cell in the range of the rows is occupied. */
  private static double coarse(double[] logs, int width, int limit) {
    double volume = 1;
    for (int column = 0; column < width - 1; column++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int at = column; at < logs.length; at += width - 1) {
        if (logs[at] != Double.NEGATIVE_INFINITY) {
          low = Math.min(low, logs[at]);
          high = Math.max(high, logs[at]);
        }
      }
      volume *= Math.max(1e-6, high - low);
    }
    return Math.max(FINEST, Math.expm1(Math.pow(volume / limit, 1.0 / (width - 1))));
  }

  private static double[] logs(double[] values, int width, int[] indices) {
    double[] logs = new double[indices.length * (width - 1)];
    int at = 0;
    for (int row : indices) {
      for (int column = 1; column < width; column++) {
        logs[at++] = Math.log(values[row * width + column]);
      }
    }
    return logs;
  }

  private static int[] best(
      double[] values, int width, int[] indices, double[] logs, double error) {
    Cells cells = new Cells(indices.length);
    int[] kept = new int[indices.length];
    int count = 0;
    for (int i = 0; i < indices.length; i++) {
      int slot = cells.slot(logs, i * (width - 1), width - 1, 1 / Math.log1p(error));
      if (cells.content[slot] < 0) {
        cells.content[slot] = count;
        kept[count++] = indices[i];
      } else if (values[indices[i] * width] < values[kept[cells.content[slot]] * width]) {
        kept[cells.content[slot]] = indices[i];
      }
    }
    return Arrays.copyOf(kept, count);
  }

  /** A hash table of cells with open addressing. */
  private static final class Cells {

    private static final long EMPTY = Long.MIN_VALUE;

    private final long[] keys;
    private final int[] content;

    Cells(int most) {
      int size = Integer.highestOneBit(Math.max(16, most)) * 4;
      keys = new long[size];
      content = new int[size];
      Arrays.fill(keys, EMPTY);
      Arrays.fill(content, -1);
    }

    /** The number of occupied cells; stops at limit + 1. */
    int count(double[] logs, int width, double error, int limit) {
      double scale = 1 / Math.log1p(error);
      int occupied = 0;
      for (int at = 0; at < logs.length && occupied <= limit; at += width - 1) {
        int slot = slot(logs, at, width - 1, scale);
        if (content[slot] < 0) {
          content[slot] = 0;
          occupied++;
        }
      }
      return occupied;
    }

    int slot(double[] logs, int at, int columns, double scale) {
      long key = 0;
      for (int column = 0; column < columns; column++) {
        long cell = (long) Math.floor(logs[at + column] * scale);
        key = key * 0x9E3779B97F4A7C15L + cell;
        key ^= key >>> 29;
      }
      int slot = (int) ((key * 0xBF58476D1CE4E5B9L) >>> 33) & (keys.length - 1);
      while (keys[slot] != key && keys[slot] != EMPTY) {
        slot = (slot + 1) & (keys.length - 1);
      }
      keys[slot] = key;
      return slot;
    }
  }
}
