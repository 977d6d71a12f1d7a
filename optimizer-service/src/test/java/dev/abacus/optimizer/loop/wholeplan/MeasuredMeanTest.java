package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredMeanTest {

  private static final int RUNS = 2_000;

  private interface Estimator {
    MeasuredMean of(double[] values);
  }

  /** The share of means that differ from the truth by at most three standard errors. */
  private static double within(
      int count, double truth, ToDoubleFunction<Random> draw, Estimator estimator) {
    Random random = new Random(count);
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
      double[] values = new double[count];
      for (int i = 0; i < count; i++) {
        values[i] = draw.applyAsDouble(random);
      }
      MeasuredMean estimate = estimator.of(values);
      covered += Math.abs(estimate.mean() - truth) <= 3 * estimate.error() ? 1 : 0;
    }
    return (double) covered / RUNS;
  }

  @ParameterizedTest
  @CsvSource({"6, 0.5", "6, 0.9", "10, 0.8", "30, 0.95", "30, 0.5", "100, 0.7"})
  void threeErrorsOfScoresThatAreZeroOrOneReachTheTruth(int count, double truth) {
    assertThat(
            within(
                count,
                truth,
                random -> random.nextDouble() < truth ? 1 : 0,
                MeasuredMean::ofScores))
        .isBetween(0.93, 1.0);
  }

  @ParameterizedTest
  @CsvSource({"6, 0.5", "10, 0.8", "30, 0.8", "100, 0.6"})
  void threeErrorsOfFractionalScoresReachTheTruth(int count, double truth) {
    assertThat(
            within(
                count,
                truth,
                random -> truth + 0.35 * (random.nextDouble() - 0.5),
                MeasuredMean::ofScores))
        .isBetween(0.95, 1.0);
  }

  @ParameterizedTest
  @CsvSource({"6, 0.3", "10, 0.3", "30, 0.3", "30, 0.6"})
  void threeErrorsOfLogNormalCostsReachTheTruth(int count, double variation) {
    double variance = Math.log1p(variation * variation);
    assertThat(
            within(
                count,
                2,
                random -> 2 * Math.exp(Math.sqrt(variance) * random.nextGaussian() - variance / 2),
                MeasuredMean::ofAmounts))
        .isBetween(0.93, 1.0);
  }

  @Test
  void equalScoresDoNotGiveCertainty() {
    MeasuredMean perfect = MeasuredMean.ofScores(new double[] {1, 1, 1, 1, 1, 1});

    assertThat(perfect.mean()).isEqualTo(1);
    assertThat(perfect.error()).isGreaterThan(0.05);
  }

  @Test
  void scoresThatScatterLessHaveASmallerError() {
    double[] binary = {0, 1, 1, 0, 1, 1, 0, 1};
    double[] fractional = {0.5, 0.7, 0.65, 0.6, 0.7, 0.6, 0.65, 0.6};

    assertThat(MeasuredMean.ofScores(fractional).error())
        .isLessThan(MeasuredMean.ofScores(binary).error() / 2);
  }
}
