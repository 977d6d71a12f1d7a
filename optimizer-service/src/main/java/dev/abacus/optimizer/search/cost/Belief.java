package dev.abacus.optimizer.search.cost;

/**
 * An estimate of one implementation with its uncertainty.
 *
 * @param mean the expected values
 * @param samples number of observations of this implementation; 0 if the belief only follows from
 *     observations of other implementations or from priors
 * @param qualityDeviation standard deviation of the true mean quality
 * @param costDeviation standard deviation of the natural logarithm of the true mean cost
 * @param latencyDeviation standard deviation of the natural logarithm of the true mean latency
 * @param selectivityDeviation standard deviation of the true mean number of outputs per input
 */
public record Belief(
    OperatorEstimate mean,
    int samples,
    double qualityDeviation,
    double costDeviation,
    double latencyDeviation,
    double selectivityDeviation) {

  /** A belief with a certain selectivity. */
  public Belief(
      OperatorEstimate mean,
      int samples,
      double qualityDeviation,
      double costDeviation,
      double latencyDeviation) {
    this(mean, samples, qualityDeviation, costDeviation, latencyDeviation, 0);
  }

  public Belief {
    if (!(qualityDeviation >= 0
        && costDeviation >= 0
        && latencyDeviation >= 0
        && selectivityDeviation >= 0)) {
      throw new IllegalArgumentException("a deviation is negative or not a number");
    }
  }

  /**
   * With a further error of cost and latency. A deviation that is not modelled stays so.
   *
   * @param cost standard deviation of the logarithm of the cost because of that error
   * @param latency likewise
   */
  public Belief wider(double cost, double latency) {
    return new Belief(
        mean,
        samples,
        qualityDeviation,
        costDeviation > 0 ? Math.hypot(costDeviation, cost) : 0,
        latencyDeviation > 0 ? Math.hypot(latencyDeviation, latency) : 0,
        selectivityDeviation);
  }

  /** With another mean. */
  public Belief with(OperatorEstimate other) {
    return new Belief(
        other, samples, qualityDeviation, costDeviation, latencyDeviation, selectivityDeviation);
  }

  /** A belief without uncertainty. */
  public static Belief certain(OperatorEstimate mean, int samples) {
    return new Belief(mean, samples, 0, 0, 0);
  }
}
