package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the factorization with that of Hipparchus. */
class CholeskyTest {

  private static final Offset<Double> PRECISION = within(1e-12);

  /** A well-conditioned symmetric positive definite matrix. */
  private static double[][] matrix(int size, Random random) {
    double[][] factor = new double[size][size];
    for (double[] row : factor) {
      for (int j = 0; j < size; j++) {
        row[j] = random.nextGaussian() / Math.sqrt(size);
      }
    }
    double[][] matrix = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < size; k++) {
          sum += factor[i][k] * factor[j][k];
        }
        matrix[i][j] = sum;
        matrix[j][i] = sum;
      }
    }
    return matrix;
  }

  private static CholeskyDecomposition oracle(double[][] matrix) {
    return new CholeskyDecomposition(new Array2DRowRealMatrix(matrix));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 60, 200})
  void solvesAsTheOracleDoes(int size) {
    Random random = new Random(size);
    double[][] matrix = matrix(size, random);
    double[] right = random.doubles(size, -1, 1).toArray();

    double[] expected = oracle(matrix).getSolver().solve(new ArrayRealVector(right)).toArray();
    assertThat(new Cholesky(matrix).solve(right)).containsExactly(expected, PRECISION);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 60, 200})
  void invertsAsTheOracleDoes(int size) {
    double[][] matrix = matrix(size, new Random(size + 1));

    double[][] inverse = new Cholesky(matrix).inverse();
    double[][] expected = oracle(matrix).getSolver().getInverse().getData();
    for (int i = 0; i < size; i++) {
      assertThat(inverse[i]).containsExactly(Arrays.copyOf(expected[i], i + 1), PRECISION);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 60, 200})
  void solvesWithTheFactorAndHasItsDeterminant(int size) {
    Random random = new Random(size + 2);
    double[][] matrix = matrix(size, random);
    double[] right = random.doubles(size, -1, 1).toArray();
    Cholesky cholesky = new Cholesky(matrix);
    CholeskyDecomposition oracle = oracle(matrix);

    double[] product = oracle.getL().operate(cholesky.solveLower(right));
    assertThat(product).containsExactly(right, PRECISION);
    assertThat(cholesky.logDeterminant())
        .isCloseTo(2 * sumOfLogs(oracle.getL().getData()), within(1e-10));
  }

  private static double sumOfLogs(double[][] factor) {
    double sum = 0;
    for (int i = 0; i < factor.length; i++) {
      sum += Math.log(factor[i][i]);
    }
    return sum;
  }

  @Test
  void refusesAMatrixThatIsNotPositiveDefinite() {
    double[][] matrix = {{1, 2}, {2, 1}};
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> new Cholesky(matrix));
  }
}
