package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LbfgsMinimizerTest {

  /** Σ w·(x − c)²/2 has its minimum at c. */
  private static double quadratic(double[] point, double[] gradient) {
    double value = 0;
    for (int i = 0; i < point.length; i++) {
      double weight = 1 + i;
      double distance = point[i] - i;
      value += weight * distance * distance / 2;
      gradient[i] = weight * distance;
    }
    return value + 1;
  }

  @Test
  void findsTheMinimumOfAQuadratic() {
    double[] found = LbfgsMinimizer.minimize(LbfgsMinimizerTest::quadratic, new double[6]);

    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isCloseTo(i, within(0.01));
    }
  }

  @Test
  void staysAtTheMinimum() {
    double[] minimum = {0, 1, 2};

    assertThat(LbfgsMinimizer.minimize(LbfgsMinimizerTest::quadratic, minimum.clone()))
        .containsExactly(minimum);
  }
}
