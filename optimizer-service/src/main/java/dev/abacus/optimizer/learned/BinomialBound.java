package dev.abacus.optimizer.learned;

/**
 * The exact lower confidence bound of a binomial probability (Clopper and Pearson 1934): in at most
 * {@link #RISK} of all cases it is above the true probability.
 */
public final class BinomialBound {

  /** One-sided error probability: 95 % confidence. */
  public static final double RISK = 0.05;

  private static final int BISECTIONS = 50;

  private BinomialBound() {}

  /**
   * Computes the lower confidence bound.
   *
   * @param successes in [0, trials]
   * @return in [0, 1); 0 without a success
   */
  public static double lowerBound(int successes, int trials) {
    double low = 0;
    double high = successes == 0 ? 0 : (double) successes / trials;
    for (int i = 0; i < BISECTIONS && high > 0; i++) {
      double middle = (low + high) / 2;
      if (atLeast(successes, trials, middle) <= RISK) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the lower confidence bound is at least a target in (0, 1). */
  public static boolean reaches(int successes, int trials, double target) {
    return successes > target * trials && atLeast(successes, trials, target) <= RISK;
  }

  /** The minimum number of trials that can reach a target, if all succeed. */
  public static int minimumTrials(double target) {
    return (int) StrictMath.ceil(StrictMath.log(RISK) / StrictMath.log(target));
  }

  /** Probability of at least this many successes; the success probability is in (0, 1). */
  private static double atLeast(int successes, int trials, double probability) {
    double odds = probability / (1 - probability);
    double logTerm = trials * StrictMath.log(probability);
    double sum = 0;
    // From all successes downwards: each term follows from the previous one.
    for (int k = trials; k >= successes; k--) {
      sum += StrictMath.exp(logTerm);
      if (k > 0) {
        logTerm += StrictMath.log(k / (odds * (trials - k + 1)));
      }
    }
    return sum;
  }
}
