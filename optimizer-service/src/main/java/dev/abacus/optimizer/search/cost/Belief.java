package dev.abacus.optimizer.search.cost;

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
}
