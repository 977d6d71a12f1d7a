package dev.abacus.optimizer.sequential;

/**
 * A test, valid at any time, of whether a mean is above (or below) a limit: the capital of a player
 * whose stakes are fair or worse unless it is (Waudby-Smith and Ramdas, "Estimating means of
 * bounded random variables by betting", 2024). Starting with 1, it reaches 1/α with a probability
 * of at most α, however often one looks, unless the mean is beyond the limit.
 *
 * <p>The player divides the capital among a few fixed stakes. As these do not depend on the order
 * of the values, number, sum and sum of squares suffice for a lower bound of the capital: of each
 * factor 1 + λy with y ≥ -1, the chord between the extremes (exact for values that are extremes),
 * or λy + (log(1 - λ) + λ)y² (Fan, Grama and Liu, 2015), which is closer for a small variance.
 *
 * @param limit of the mean; in (0, {@code most}) for a test that can find anything
 * @param most the largest possible value; infinite if unknown and the test is one of {@code above}.
 *     The smallest is 0
 * @param above whether means above the limit are looked for, otherwise below
 */
public record BettingTest(double limit, double most, boolean above) {

  /** The parts of what can be lost that are staked, from differences of 1 % to large ones. */
  private static final double[] STAKES = {0.02, 0.05, 0.12, 0.3, 0.6, 0.9};

  static final int NUMBER_OF_STAKES = STAKES.length;

  /** The least limit, relative to the largest value: an error of 1 in 1000 is never a surprise. */
  private static final double LEAST = 1e-3;

  public BettingTest {
    if (!(limit >= 0) || !(limit <= most) || (!above && Double.isInfinite(most))) {
      throw new IllegalArgumentException("limit %s of values to %s".formatted(limit, most));
    }
  }

  /** Lower bound of the logarithm of the capital by stake, from 1, after some values. */
  double[] growth(long number, double sum, double squares) {
    double total = above ? sum : number * most - sum;
    double ofSquares = above ? squares : number * most * most - 2 * most * sum + squares;
    double mean = above ? limit : most - limit;
    mean = Double.isInfinite(most) ? mean : Math.max(mean, LEAST * most);
    double deviation = total / mean - number;
    double variance = ofSquares / (mean * mean) - 2 * total / mean + number;
    double[] growth = new double[STAKES.length];
    for (int i = 0; i < STAKES.length; i++) {
      double stake = STAKES[i];
      growth[i] = stake * deviation + (Math.log1p(-stake) + stake) * Math.max(0, variance);
      if (!Double.isInfinite(most)) {
        double share = Math.clamp(total / most, 0, (double) number);
        double chord =
            (number - share) * Math.log1p(-stake) + share * Math.log1p(stake * (most / mean - 1));
        growth[i] = Math.max(growth[i], chord);
      }
    }
    return growth;
  }

  /** Lower bound of the capital, from 1, after some values: an e-value. */
  public double capital(long number, double sum, double squares) {
    double capital = 0;
    for (double logarithm : growth(number, sum, squares)) {
      capital += Math.exp(logarithm) / STAKES.length;
    }
    return capital;
  }
}
