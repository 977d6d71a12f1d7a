package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/** The Cholesky factor L of a symmetric positive definite matrix A = L Lᵀ; dense. */
final class Cholesky {

  private final double[][] lower;

  /**
   * Factors a matrix.
   *
   * @param matrix only the lower triangle is read
   * @throws ArithmeticException if the matrix is not positive definite
   */
  Cholesky(double[][] matrix) {
    int n = matrix.length;
    lower = new double[n][];
    for (int i = 0; i < n; i++) {
      lower[i] = Arrays.copyOf(matrix[i], i + 1);
    }
    double[] column = new double[n];
    for (int j = 0; j < n; j++) {
      double pivot = lower[j][j];
      if (!(pivot > 0)) {
        throw new ArithmeticException("not positive definite: pivot " + pivot + " in row " + j);
      }
      double root = Math.sqrt(pivot);
      lower[j][j] = root;
      for (int i = j + 1; i < n; i++) {
        column[i] = lower[i][j] / root;
        lower[i][j] = column[i];
      }
      for (int i = j + 1; i < n; i++) {
        add(lower[i], -column[i], column, j + 1, i + 1);
      }
    }
  }

  /** Solves L x = b. */
  double[] solveLower(double[] b) {
    int n = lower.length;
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      double[] row = lower[i];
      double sum = b[i];
      for (int k = 0; k < i; k++) {
        sum -= row[k] * x[k];
      }
      x[i] = sum / row[i];
    }
    return x;
  }

  /** Solves A x = b. */
  double[] solve(double[] b) {
    return solveUpper(solveLower(b));
  }

  /** Solves Lᵀ x = b. */
  double[] solveUpper(double[] b) {
    double[] x = b.clone();
    for (int i = lower.length - 1; i >= 0; i--) {
      x[i] /= lower[i][i];
      add(x, -x[i], lower[i], 0, i);
    }
    return x;
  }

  /** The lower triangle of the inverse of A. */
  double[][] inverse() {
    int n = lower.length;
    double[][] ofLower = new double[n][];
    for (int i = 0; i < n; i++) {
      double[] row = new double[i + 1];
      for (int k = 0; k < i; k++) {
        add(row, -lower[i][k], ofLower[k], 0, k + 1);
      }
      for (int j = 0; j < i; j++) {
        row[j] /= lower[i][i];
      }
      row[i] = 1 / lower[i][i];
      ofLower[i] = row;
    }
    double[][] inverse = new double[n][];
    for (int i = 0; i < n; i++) {
      inverse[i] = new double[i + 1];
      for (int k = i; k < n; k++) {
        add(inverse[i], ofLower[k][i], ofLower[k], 0, i + 1);
      }
    }
    return inverse;
  }

  /** Adds a multiple of the values [from, to); unlike scalar products, that is vectorized. */
  private static void add(double[] sums, double factor, double[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      sums[i] += factor * values[i];
    }
  }

  /** Logarithm of the determinant of A. */
  double logDeterminant() {
    double sum = 0;
    for (int i = 0; i < lower.length; i++) {
      sum += 2 * Math.log(lower[i][i]);
    }
    return sum;
  }
}
