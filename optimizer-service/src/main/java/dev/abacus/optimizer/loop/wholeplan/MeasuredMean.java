package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.plan.Range;
import java.util.stream.DoubleStream;

/**
 * The mean of measurements of one metric of a plan, one measurement per example.
 *
 * @param count number of measurements, at least 1
 * @param error standard error of the mean
 * @param range the mean with its 95 % interval; without an interval if it is unknown
 */
record MeasuredMean(int count, double error, Range range) {

  /** Squared coefficient of variation of cost and latency before the first measurement. */
  private static final double PRIOR_VARIATION = 0.1;

  /** Weight of the prior variance, in measurements. */
  private static final double PRIOR_WEIGHT = 0.1;

  double mean() {
    return range.mean();
  }

  /**
   * The mean of scores in [0, 1]. The interval is Wilson's score interval with an effective number
   * of trials, because scores that scatter less than 0 and 1 would tell more (Korn and Graubard
   * 1998, "Confidence intervals for proportions with small expected number of positive counts
   * estimated from survey data"). A tenth of a prior measurement draws the ratio of both variances
   * towards 1, so that a few similar scores do not give an interval without width.
   */
  static MeasuredMean ofScores(double[] scores) {
    int n = scores.length;
    double mean = mean(scores);
    double centre = (mean * n + 0.5) / (n + 1);
    double binary = centre * (1 - centre);
    double ratio =
        DoubleStream.of(scores).allMatch(score -> score == 0 || score == 1)
            ? 1
            : Math.min(
                1,
                (squares(scores, mean) + PRIOR_WEIGHT * binary)
                    / ((n - 1 + PRIOR_WEIGHT) * binary));
    double trials = n / ratio;
    double t = Quantiles.student(Math.max(1, n - 1));
    double shift = t * t / trials;
    double middle = (mean + shift / 2) / (1 + shift);
    double half = t / (1 + shift) * Math.sqrt((mean * (1 - mean) + shift / 4) / trials);
    return new MeasuredMean(
        n, Math.sqrt(binary / trials), Range.within(mean, middle - half, middle + half, 0, 1));
  }

  /**
   * The mean of amounts of at least 0, with Student's t interval of the mean. The relative variance
   * is drawn towards that of a typical operator by a tenth of a prior measurement.
   */
  static MeasuredMean ofAmounts(double[] amounts) {
    int n = amounts.length;
    double mean = mean(amounts);
    double variance =
        (squares(amounts, mean) + PRIOR_WEIGHT * PRIOR_VARIATION * mean * mean)
            / (n - 1 + PRIOR_WEIGHT);
    double error = Math.sqrt(variance / n);
    double half = Quantiles.student(Math.max(1, n - 1)) * error;
    return new MeasuredMean(
        n, error, Range.within(mean, mean - half, mean + half, 0, Double.MAX_VALUE));
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElse(0);
  }

  private static double squares(double[] values, double mean) {
    return DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum();
  }
}
