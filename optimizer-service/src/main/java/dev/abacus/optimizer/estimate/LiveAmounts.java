package dev.abacus.optimizer.estimate;

/**
 * How cost and latency of live documents differ from those of the evidence of an implementation:
 * the answer store saves a part, and the mean size of live documents is known from some only.
 *
 * @param stored what the answer store leaves
 * @param cost error of the logarithm of the cost
 * @param latency error of the logarithm of the latency
 */
public record LiveAmounts(StoredAnswers.Remainder stored, Loadings cost, Loadings latency) {

  /** Live documents are as the evidence. */
  public static final LiveAmounts SAME =
      new LiveAmounts(StoredAnswers.ALL, Loadings.NONE, Loadings.NONE);

  /** The largest deviation of the logarithm of cost and latency. */
  public double deviation() {
    return Math.max(cost.deviation(), latency.deviation());
  }
}
