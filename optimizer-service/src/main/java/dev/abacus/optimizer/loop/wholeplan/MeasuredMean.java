package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import java.util.stream.DoubleStream;

/**
 * The mean of measurements of one metric of a plan, one measurement per example.
 *
 * @param count number of measurements, at least 1
 * @param error standard error of the mean
 */
record MeasuredMean(int count, double mean, double error) {

  /** Squared coefficient of variation of cost and latency before the first measurement. */
  private static final double PRIOR_VARIATION = 0.1;

  /** Weight of the prior variance, in measurements. */
  private static final double PRIOR_WEIGHT = 0.1;

  /**
   * The mean of scores in [0, 1]. For the error, the mean counts with two more scores of 0.5
   * (Agresti and Coull 1998), so that equal scores do not give certainty. A tenth of a prior
   * measurement draws the variance towards that of scores of 0 and 1, the largest with this mean.
   */
  static MeasuredMean ofScores(double[] scores) {
    int n = scores.length;
    double mean = mean(scores);
    double centre = (mean * n + 1) / (n + 2);
    double binary = centre * (1 - centre);
    double variance =
        DoubleStream.of(scores).allMatch(score -> score == 0 || score == 1)
            ? binary
            : Math.min(
                binary, (squares(scores, mean) + PRIOR_WEIGHT * binary) / (n - 1 + PRIOR_WEIGHT));
    return new MeasuredMean(n, mean, Math.sqrt(variance / n));
  }

  /**
   * The mean of amounts of at least 0. The relative variance is drawn towards that of a typical
   * operator by a tenth of a prior measurement.
   */
  static MeasuredMean ofAmounts(double[] amounts) {
    int n = amounts.length;
    double mean = mean(amounts);
    double variance =
        (squares(amounts, mean) + PRIOR_WEIGHT * PRIOR_VARIATION * mean * mean)
            / (n - 1 + PRIOR_WEIGHT);
    return new MeasuredMean(n, mean, Math.sqrt(variance / n));
  }

  /** The mean of scores with its 95 % interval by Student's t. */
  Range range() {
    double half = Quantiles.student(Math.max(1, count - 1)) * error;
    return Range.within(mean, mean - half, mean + half, 0, 1);
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElse(0);
  }

  private static double squares(double[] values, double mean) {
    return DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum();
  }
}
