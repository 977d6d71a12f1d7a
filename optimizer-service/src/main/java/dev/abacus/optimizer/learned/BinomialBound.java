package dev.abacus.optimizer.learned;

import org.hipparchus.distribution.continuous.BetaDistribution;
import org.hipparchus.special.Beta;

/**
 * The exact lower confidence bound of a binomial probability (Clopper and Pearson 1934): in at most
 * {@link #RISK} of all cases it is above the true probability.
 */
public final class BinomialBound {

  /** One-sided error probability: 95 % confidence. */
  public static final double RISK = 0.05;

  private BinomialBound() {}

  /**
   * Computes the lower confidence bound.
   *
   * @param successes in [0, trials]
   * @return in [0, 1); 0 without a success
   */
  public static double lowerBound(int successes, int trials) {
    return successes == 0
        ? 0
        : new BetaDistribution(successes, trials - successes + 1.0)
            .inverseCumulativeProbability(RISK);
  }

  /** Whether the lower confidence bound is at least a target in (0, 1). */
  public static boolean reaches(int successes, int trials, double target) {
    return successes > target * trials
        && Beta.regularizedBeta(target, successes, trials - successes + 1.0) <= RISK;
  }

  /** The minimum number of trials that can reach a target, if all succeed. */
  public static int minimumTrials(double target) {
    return (int) StrictMath.ceil(StrictMath.log(RISK) / StrictMath.log(target));
  }
}
