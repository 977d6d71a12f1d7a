package dev.abacus.optimizer.estimate;

/**
 * How live documents differ from the evidence of an implementation: the answer store saves a part
 * of cost and latency, the caches of providers a part of cost, the mean size of live documents is
 * known from some only, and so is the judge's mean score of them.
 *
 * @param stored what the answer store leaves
 * @param uncached the part of the cost that the prompt caches of providers leave, in [0, 1]; the
 *     measurements of the evidence have it already
 * @param quality error of the quality
 * @param cost error of the logarithm of the cost
 * @param latency error of the logarithm of the latency
 */
public record LiveAmounts(
    StoredAnswers.Remainder stored,
    double uncached,
    Loadings quality,
    Loadings cost,
    Loadings latency) {

  /** Live documents are as the evidence. */
  public static final LiveAmounts SAME =
      new LiveAmounts(StoredAnswers.ALL, 1, Loadings.NONE, Loadings.NONE, Loadings.NONE);

  /** The largest deviation of the logarithm of cost and latency. */
  public double deviation() {
    return Math.max(cost.deviation(), latency.deviation());
  }
}
