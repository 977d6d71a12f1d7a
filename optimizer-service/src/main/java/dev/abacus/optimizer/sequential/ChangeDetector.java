package dev.abacus.optimizer.sequential;

import dev.abacus.schemas.plan.Range;
import java.util.Collections;
import java.util.List;

/**
 * Finds a change of a mean at an unknown time: the sum of the capitals of players of a {@link
 * BettingTest} of whom one starts at every value (an e-detector of Shiryaev-Roberts kind: Shin,
 * Ramdas and Rinaldo, "E-detectors", 2024). Without a change the sum grows by at most 1 per value
 * in the mean, so it reaches {@link #ALARM} within n values with a probability of at most n /
 * ALARM: 1 % in 100,000.
 *
 * @param evidence the sum by stake
 * @param number of values since the evidence began to grow: those after the change, if there is one
 * @param sum of these values
 * @param squares sum of their squares
 */
public record ChangeDetector(List<Double> evidence, long number, double sum, double squares) {

  /** Evidence at which a change is taken as found. */
  public static final double ALARM = 1e7;

  /** Half the width of a 99 % interval in standard errors. */
  private static final double DEVIATIONS = 2.576;

  /** Evidence below is usual without a change. */
  private static final double QUIET = Math.sqrt(ALARM);

  /** Without evidence. */
  public static final ChangeDetector START =
      new ChangeDetector(Collections.nCopies(BettingTest.NUMBER_OF_STAKES, 0.0), 0, 0, 0);

  /** Takes in more values, in the form in which counters have them. */
  public ChangeDetector with(
      BettingTest test, long moreNumber, double moreSum, double moreSquares) {
    double[] growth = test.growth(moreNumber, moreSum, moreSquares);
    Double[] grown = new Double[growth.length];
    for (int i = 0; i < growth.length; i++) {
      grown[i] = Math.min(1e300, (evidence.get(i) + moreNumber) * Math.exp(growth[i]));
    }
    boolean quiet = total() < QUIET;
    return new ChangeDetector(
        List.of(grown),
        (quiet ? 0 : number) + moreNumber,
        (quiet ? 0 : sum) + moreSum,
        (quiet ? 0 : squares) + moreSquares);
  }

  /** Whether the evidence reaches {@link #ALARM}. */
  public boolean isAlarm() {
    return total() >= ALARM;
  }

  /**
   * Whether the evidence reaches a level at which a false alarm does little harm: within n values
   * it does so without a change with a probability of at most n / level.
   */
  public boolean reaches(double level) {
    return total() >= level;
  }

  /** The mean since the change, with its 99 % interval. At least one value was taken in. */
  public Range mean() {
    return Range.ofMean(number, sum, squares, DEVIATIONS);
  }

  private double total() {
    return evidence.stream().mapToDouble(part -> part / evidence.size()).sum();
  }
}
