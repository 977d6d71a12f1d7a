package dev.abacus.optimizer.learned;

/**
 * What a count of successes says about the probability behind it, by the exact bound of Clopper and
 * Pearson (1934): never too high in more than {@link #RISK} of all cases, whatever the probability.
 */
public final class Proportions {

  /** How often a bound may be wrong: one-sided, so 95 % confidence. */
  public static final double RISK = 0.05;

  private static final int BISECTIONS = 50;

  private Proportions() {}

  /**
   * The lower confidence bound of a probability.
   *
   * @param successes of the trials, from 0 to all
   * @return in [0, 1); 0 where there is no success
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

  /** Whether the lower confidence bound reaches a target in (0, 1). */
  public static boolean shown(int successes, int trials, double target) {
    return successes > target * trials && atLeast(successes, trials, target) <= RISK;
  }

  /** Fewer trials show no target, even if all of them succeed. */
  public static int fewest(double target) {
    return (int) StrictMath.ceil(StrictMath.log(RISK) / StrictMath.log(target));
  }

  /** Probability of at least so many successes, each of the given probability in (0, 1). */
  private static double atLeast(int successes, int trials, double probability) {
    double odds = probability / (1 - probability);
    double logTerm = trials * StrictMath.log(probability);
    double sum = 0;
    // From all successes downwards: each term follows from the one above it.
    for (int k = trials; k >= successes; k--) {
      sum += StrictMath.exp(logTerm);
      if (k > 0) {
        logTerm += StrictMath.log(k / (odds * (trials - k + 1)));
      }
    }
    return sum;
  }
}
