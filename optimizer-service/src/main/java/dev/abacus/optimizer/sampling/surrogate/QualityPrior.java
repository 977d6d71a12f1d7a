package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import org.jspecify.annotations.Nullable;

/**
 * The prior of an operator's qualities: the centre of its arms and the variances of the effects.
 * The variances scale with μ (1 − μ), so that one prior fits hard and easy tasks. The noise is the
 * same for all arms: if it were smaller for arms that seem good, few lucky scores would count for
 * more than few unlucky ones.
 *
 * <p>Scores of 0 and 1 have the largest variance that their mean allows, and no other. So it is not
 * learned: equal scores do not show that it is small. Much of it is the example's, because all
 * models err on hard examples. So the scores on one example count as one where their mean is
 * estimated. That mean has Jeffreys' prior, half a success and half a failure, which count as one
 * more measurement of all arms: without it, the mean of scores that are all 1 is 1. The variance is
 * that of Agresti and Coull (1998), with two more successes and failures.
 *
 * <p>Other scores are in between, by the share of the largest variance that they have.
 *
 * @param centre of all arms
 * @param spread deviation of a score about it, the scale of the effect of beliefs
 */
record QualityPrior(double centre, double spread, VariancePrior variances) {

  /** Variance of the mean of all arms about the mean of all measurements, in units of μ (1 − μ). */
  private static final double COMMON = 0.5;

  /** Variance of one measurement of the mean of all arms, in units of μ (1 − μ). */
  private static final double MEASUREMENT = 0.85;

  private static final double LEAST_NOISE = 0.01;

  /** Least deviation of the logarithm of the noise of scores. */
  private static final double LEAST_DEVIATION = 0.1;

  /**
   * Assumed variances in units of μ (1 − μ).
   *
   * @param arms variance of the arms
   * @param example variance of the effect of an example
   * @param modelAndExample variance of the effect of a model on an example
   * @param noise variance of the rest
   */
  private record Shares(double arms, double example, double modelAndExample, double noise) {

    /** Of scores that vary much less than those of 0 and 1; the noise is learned. */
    static final Shares FRACTIONAL = new Shares(0.08, 0.04, 0.02, 0);

    /**
     * Of scores of 0 and 1. Those of the arms are in between the two landscapes that the paper's
     * authors measured (0.008 and 0.059).
     */
    static final Shares RIGHT_OR_WRONG = new Shares(0.02, 0.15, 0.15, 0.63);

    /** A mixture. */
    static Shares of(double fractional) {
      return new Shares(
          mixed(fractional, FRACTIONAL.arms, RIGHT_OR_WRONG.arms),
          mixed(fractional, FRACTIONAL.example, RIGHT_OR_WRONG.example),
          mixed(fractional, FRACTIONAL.modelAndExample, RIGHT_OR_WRONG.modelAndExample),
          mixed(fractional, FRACTIONAL.noise, RIGHT_OR_WRONG.noise));
    }

    private static double mixed(double fractional, double ofFractional, double ofOthers) {
      return fractional * ofFractional + (1 - fractional) * ofOthers;
    }
  }

  /**
   * The prior for some scores.
   *
   * @param pooled the known variance of the scores; null if it is estimated
   */
  static QualityPrior of(Measurements scores, @Nullable ScoreVariance pooled) {
    double each = mean(scores, 0.5);
    double fractional = pooled == null ? fractional(scores, each * (1 - each)) : 1;
    Measurements calls = scores.byCall();
    double mean = mean(calls, 0.5);
    double cautious = mean(calls, 2);
    double scale = fractional * mean * (1 - mean) + (1 - fractional) * cautious * (1 - cautious);
    Shares shares = Shares.of(fractional);
    // The prior of the mean of all arms after one more measurement, of 0.5.
    double weight = (1 - fractional) * COMMON;
    double drawn = weight / (weight + MEASUREMENT);
    return new QualityPrior(
        (1 - drawn) * mean + drawn * 0.5,
        Math.sqrt(scale),
        VariancePrior.of(
            shares.arms() * scale,
            (1 - drawn) * COMMON * scale,
            shares.example() * scale,
            shares.modelAndExample() * scale,
            pooled == null ? Math.max(LEAST_NOISE, shares.noise()) * scale : pooled.each(),
            pooled == null
                ? Math.max(LEAST_DEVIATION, VariancePrior.NOISE_DEVIATION * fractional)
                : LEAST_DEVIATION));
  }

  /** The mean with some more scores of 0 and as many of 1; scores on one example count as one. */
  private static double mean(Measurements scores, double more) {
    int examples = scores.examples();
    double sum = examples == 0 ? 0 : scores.sum() / scores.values().size() * examples;
    return (sum + more) / (examples + 2 * more);
  }

  /** How much less than scores of 0 and 1 the scores vary, in [0, 1]: 0 if all are 0 or 1. */
  private static double fractional(Measurements scores, double largest) {
    double inside = 0;
    for (Measurements.Value score : scores.values()) {
      inside += score.value() * (1 - score.value());
    }
    return Math.min(1, inside / Math.max(1, scores.values().size()) / largest);
  }
}
