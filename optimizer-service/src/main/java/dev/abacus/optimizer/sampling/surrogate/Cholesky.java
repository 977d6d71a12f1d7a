package dev.abacus.optimizer.sampling.surrogate;

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
      double[] row = new double[i + 1];
      for (int j = 0; j < i; j++) {
        double[] other = lower[j];
        double sum = matrix[i][j];
        for (int k = 0; k < j; k++) {
          sum -= row[k] * other[k];
        }
        row[j] = sum / other[j];
      }
      double pivot = matrix[i][i];
      for (int k = 0; k < i; k++) {
        pivot -= row[k] * row[k];
      }
      if (!(pivot > 0)) {
        throw new ArithmeticException("not positive definite: pivot " + pivot + " in row " + i);
      }
      row[i] = Math.sqrt(pivot);
      lower[i] = row;
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
      for (int k = 0; k < i; k++) {
        x[k] -= lower[i][k] * x[i];
      }
    }
    return x;
  }

  /** The inverse of A. */
  double[][] inverse() {
    int n = lower.length;
    // Columns of the inverse of L, kept as rows: the inverse of A is their scalar products.
    double[][] columns = new double[n][n];
    for (int c = 0; c < n; c++) {
      double[] x = columns[c];
      x[c] = 1 / lower[c][c];
      for (int i = c + 1; i < n; i++) {
        double[] row = lower[i];
        double sum = 0;
        for (int k = c; k < i; k++) {
          sum -= row[k] * x[k];
        }
        x[i] = sum / row[i];
      }
    }
    double[][] inverse = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = i; k < n; k++) {
          sum += columns[i][k] * columns[j][k];
        }
        inverse[i][j] = sum;
        inverse[j][i] = sum;
      }
    }
    return inverse;
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
