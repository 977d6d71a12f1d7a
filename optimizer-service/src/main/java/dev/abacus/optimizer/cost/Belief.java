package dev.abacus.optimizer.cost;

import dev.abacus.schemas.objective.Dimension;
import java.util.Set;

/**
 * What is believed of one implementation, with how sure that is.
 *
 * @param mean the expected values
 * @param samples observations of this very implementation; 0 if the belief rests on others alone
 * @param qualityDeviation standard deviation of the true mean quality
 * @param costDeviation standard deviation of the natural logarithm of the true mean cost
 * @param latencyDeviation standard deviation of the natural logarithm of the true mean latency
 */
public record Belief(
    OperatorEstimate mean,
    int samples,
    double qualityDeviation,
    double costDeviation,
    double latencyDeviation) {

  public Belief {
    if (!(qualityDeviation >= 0 && costDeviation >= 0 && latencyDeviation >= 0)) {
      throw new IllegalArgumentException("a deviation is negative or no number");
    }
  }

  /** Raw means, taken at their face value. */
  public static Belief certain(OperatorEstimate mean, int samples) {
    return new Belief(mean, samples, 0, 0, 0);
  }

  /**
   * The expected values, but those of some dimensions worse by a number of standard deviations: a
   * plan of such values that meets a bound meets it most probably in truth as well.
   *
   * @param dimensions those to be careful about: the bounded ones
   * @param deviations how careful, at least 0
   */
  public OperatorEstimate cautious(Set<Dimension> dimensions, double deviations) {
    double quality =
        dimensions.contains(Dimension.QUALITY)
            ? Math.max(0, mean.quality() - deviations * qualityDeviation)
            : mean.quality();
    return new OperatorEstimate(
        quality,
        mean.cost() * factor(dimensions.contains(Dimension.COST), deviations * costDeviation),
        mean.latency()
            * factor(dimensions.contains(Dimension.LATENCY), deviations * latencyDeviation),
        mean.selectivity());
  }

  private static double factor(boolean bounded, double logarithm) {
    return bounded ? Math.exp(logarithm) : 1;
  }
}
