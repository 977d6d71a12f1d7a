package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LagrangeMultipliersTest {

  private static final int CASES = 500;
  private static final int OPERATORS = 3;
  private static final int CANDIDATES = 8;

  private final RandomGenerator random = new SplittableRandom(3);

  @Test
  void aBoundThatTheBestChoiceMeetsCostsNothing() {
    double[][] losses = {{1, 5, 2, 1}, {3, 4, 9, 1}};
    LagrangeMultipliers found = LagrangeMultipliers.of(losses, new double[] {9});
    assertThat(found.get(0)).isZero();
    assertThat(found.best(0)).isZero();
    assertThat(found.best(1)).isZero();
  }

  @Test
  void thePriceIsWhereTheNextChoiceBecomesCheaper() {
    // Saving 4 units of the bound costs 1 unit of the target: 0.25 per unit.
    double[][] losses = {{1, 5, 2, 1}};
    LagrangeMultipliers found = LagrangeMultipliers.of(losses, new double[] {3});
    assertThat(found.get(0)).isBetween(0.25, 0.2501);
    assertThat(found.best(0)).isOne();
  }

  @Test
  void theChoiceMeetsEveryBoundThatSomeChoiceMeetsAlone() {
    for (int i = 0; i < CASES; i++) {
      double[][] losses = losses(1);
      double limit = least(losses, 1) + random.nextDouble();
      LagrangeMultipliers found = LagrangeMultipliers.of(losses, new double[] {limit});
      assertThat(sum(losses, found, 1)).as("case %d", i).isLessThanOrEqualTo(limit + 1e-9);
    }
  }

  @Test
  void withOneBoundNoOtherPriceGivesALargerDual() {
    for (int i = 0; i < CASES; i++) {
      double[][] losses = losses(1);
      double limit = least(losses, 1) + random.nextDouble();
      LagrangeMultipliers found = LagrangeMultipliers.of(losses, new double[] {limit});
      double dual = dual(losses, new double[] {limit}, found.get(0));
      for (double price = 1e-3; price < 1e3; price *= 1.5) {
        assertThat(dual(losses, new double[] {limit}, price))
            .as("case %d at %s", i, price)
            .isLessThanOrEqualTo(dual + 1e-6);
      }
    }
  }

  @Test
  void withTwoBoundsTheDualIsBelowEveryFeasibleChoiceAndCloseToTheLargest() {
    double gap = 0;
    int feasible = 0;
    for (int i = 0; i < CASES; i++) {
      double[][] losses = losses(2);
      double[] limits = {0.5 + 2 * random.nextDouble(), 0.5 + 2 * random.nextDouble()};
      LagrangeMultipliers found = LagrangeMultipliers.of(losses, limits);
      double dual = dual(losses, limits, found.get(0), found.get(1));
      double primal = bestFeasible(losses, limits);
      assertThat(dual).as("case %d", i).isLessThanOrEqualTo(primal + 1e-9);
      if (primal < Double.POSITIVE_INFINITY) {
        feasible++;
        double largest = dual;
        for (double one = 1e-3; one < 1e3; one *= 2) {
          for (double two = 1e-3; two < 1e3; two *= 2) {
            largest = Math.max(largest, dual(losses, limits, one, two));
          }
        }
        gap += largest - dual;
      }
    }
    assertThat(feasible).isGreaterThan(CASES / 4);
    assertThat(gap / feasible).isLessThan(0.01);
  }

  private double[][] losses(int bounds) {
    double[][] losses = new double[OPERATORS][CANDIDATES * (1 + bounds)];
    for (double[] operator : losses) {
      for (int at = 0; at < operator.length; at++) {
        operator[at] = random.nextDouble();
      }
    }
    return losses;
  }

  private static double least(double[][] losses, int loss) {
    double sum = 0;
    for (double[] operator : losses) {
      double least = Double.POSITIVE_INFINITY;
      for (int at = loss; at < operator.length; at += 2) {
        least = Math.min(least, operator[at]);
      }
      sum += least;
    }
    return sum;
  }

  private static double sum(double[][] losses, LagrangeMultipliers found, int loss) {
    double sum = 0;
    for (int operator = 0; operator < losses.length; operator++) {
      sum += losses[operator][found.best(operator) * 2 + loss];
    }
    return sum;
  }

  private static double dual(double[][] losses, double[] limits, double... prices) {
    int width = 1 + limits.length;
    double dual = 0;
    for (int b = 0; b < limits.length; b++) {
      dual -= prices[b] * limits[b];
    }
    for (double[] operator : losses) {
      double least = Double.POSITIVE_INFINITY;
      for (int at = 0; at < operator.length; at += width) {
        double value = operator[at];
        for (int b = 0; b < limits.length; b++) {
          value += prices[b] * operator[at + 1 + b];
        }
        least = Math.min(least, value);
      }
      dual += least;
    }
    return dual;
  }

  private static double bestFeasible(double[][] losses, double[] limits) {
    double best = Double.POSITIVE_INFINITY;
    for (int a = 0; a < CANDIDATES * 3; a += 3) {
      for (int b = 0; b < CANDIDATES * 3; b += 3) {
        for (int c = 0; c < CANDIDATES * 3; c += 3) {
          double[] sums = new double[3];
          for (int loss = 0; loss < 3; loss++) {
            sums[loss] = losses[0][a + loss] + losses[1][b + loss] + losses[2][c + loss];
          }
          if (sums[1] <= limits[0] && sums[2] <= limits[1]) {
            best = Math.min(best, sums[0]);
          }
        }
      }
    }
    return best;
  }
}
