package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
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

  /** The share of intervals that contain the true mean. */
  private static double coverage(
      int count, double truth, ToDoubleFunction<Random> draw, Estimator estimator) {
    Random random = new Random(count);
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
      double[] values = new double[count];
      for (int i = 0; i < count; i++) {
        values[i] = draw.applyAsDouble(random);
      }
      var range = estimator.of(values).range();
      covered +=
          Objects.requireNonNull(range.low()) <= truth
                  && truth <= Objects.requireNonNull(range.high())
              ? 1
              : 0;
    }
    return (double) covered / RUNS;
  }

  @ParameterizedTest
  @CsvSource({"6, 0.5", "6, 0.9", "10, 0.8", "30, 0.95", "30, 0.5", "100, 0.7"})
  void theIntervalOfScoresThatAreZeroOrOneContainsTheTruth(int count, double truth) {
    assertThat(
            coverage(
                count,
                truth,
                random -> random.nextDouble() < truth ? 1 : 0,
                MeasuredMean::ofScores))
        .isBetween(0.90, 1.0);
  }

  @ParameterizedTest
  @CsvSource({"6, 0.5", "10, 0.8", "30, 0.8", "100, 0.6"})
  void theIntervalOfFractionalScoresContainsTheTruth(int count, double truth) {
    assertThat(
            coverage(
                count,
                truth,
                random -> truth + 0.35 * (random.nextDouble() - 0.5),
                MeasuredMean::ofScores))
        .isBetween(0.92, 0.99);
  }

  @ParameterizedTest
  @CsvSource({"6, 0.3", "10, 0.3", "30, 0.3", "30, 0.6"})
  void theIntervalOfLogNormalCostsContainsTheTruth(int count, double variation) {
    double variance = Math.log1p(variation * variation);
    assertThat(
            coverage(
                count,
                2,
                random -> 2 * Math.exp(Math.sqrt(variance) * random.nextGaussian() - variance / 2),
                MeasuredMean::ofAmounts))
        .isBetween(0.90, 0.99);
  }

  @Test
  void equalScoresDoNotGiveCertainty() {
    MeasuredMean perfect = MeasuredMean.ofScores(new double[] {1, 1, 1, 1, 1, 1});

    assertThat(perfect.mean()).isEqualTo(1);
    assertThat(perfect.range().low()).isLessThan(0.7);
    assertThat(perfect.error()).isPositive();
  }

  @Test
  void scoresThatScatterLessGiveANarrowerInterval() {
    double[] binary = {0, 1, 1, 0, 1, 1, 0, 1};
    double[] fractional = {0.5, 0.7, 0.65, 0.6, 0.7, 0.6, 0.65, 0.6};

    assertThat(MeasuredMean.ofScores(fractional).error())
        .isLessThan(MeasuredMean.ofScores(binary).error() / 2);
  }
}
