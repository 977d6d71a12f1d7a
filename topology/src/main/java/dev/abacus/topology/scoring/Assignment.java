package dev.abacus.topology.scoring;

import java.util.Arrays;

/**
 * The assignment problem: matches rows and columns of a matrix one to one, so that the sum of the
 * matched values is largest. Solved by the Hungarian method with shortest augmenting paths (Kuhn;
 * Jonker and Volgenant) in O(min(n, m)² · max(n, m)).
 */
final class Assignment {

  private Assignment() {}

  /**
   * The largest sum. All rows or all columns are matched, whichever are fewer.
   *
   * @param values at least one row; rows have the same number of columns, at least one
   */
  static double largestSum(double[][] values) {
    return values.length <= values[0].length ? solve(values) : solve(transposed(values));
  }

  private static double[][] transposed(double[][] values) {
    double[][] columns = new double[values[0].length][values.length];
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < columns.length; j++) {
        columns[j][i] = values[i][j];
      }
    }
    return columns;
  }

  /** Rows and columns are counted from 1; column 0 stands for the row that is being matched. */
  private static double solve(double[][] values) {
    int rows = values.length;
    int columns = values[0].length;
    double[] rowPotential = new double[rows + 1];
    double[] columnPotential = new double[columns + 1];
    int[] rowOf = new int[columns + 1];
    int[] previous = new int[columns + 1];
    for (int row = 1; row <= rows; row++) {
      rowOf[0] = row;
      int column = 0;
      double[] distance = new double[columns + 1];
      Arrays.fill(distance, Double.POSITIVE_INFINITY);
      boolean[] reached = new boolean[columns + 1];
      while (rowOf[column] != 0) {
        reached[column] = true;
        int from = rowOf[column];
        double step = Double.POSITIVE_INFINITY;
        int next = 0;
        for (int j = 1; j <= columns; j++) {
          if (!reached[j]) {
            double reduced = -values[from - 1][j - 1] - rowPotential[from] - columnPotential[j];
            if (reduced < distance[j]) {
              distance[j] = reduced;
              previous[j] = column;
            }
            if (distance[j] < step) {
              step = distance[j];
              next = j;
            }
          }
        }
        for (int j = 0; j <= columns; j++) {
          if (reached[j]) {
            rowPotential[rowOf[j]] += step;
            columnPotential[j] -= step;
          } else {
            distance[j] -= step;
          }
        }
        column = next;
      }
      while (column != 0) {
        rowOf[column] = rowOf[previous[column]];
        column = previous[column];
      }
    }
    double sum = 0;
    for (int j = 1; j <= columns; j++) {
      sum += rowOf[j] == 0 ? 0 : values[rowOf[j] - 1][j - 1];
    }
    return sum;
  }
}
