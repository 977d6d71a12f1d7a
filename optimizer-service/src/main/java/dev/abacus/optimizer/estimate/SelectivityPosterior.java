package dev.abacus.optimizer.estimate;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The selectivity of the implementations of an operator by its samples, and its uncertainty. It
 * depends on the documents more than on the implementation. So the mean of an implementation is
 * drawn to that of all, and the number of examples counts, not the number of samples.
 *
 * @param common mean over the samples of all implementations
 * @param examples number of distinct examples with an answer
 * @param varies whether some sample has another number of outputs than one
 * @param many whether some sample has more than one output
 * @param spread standard deviation of the number of outputs
 */
public record SelectivityPosterior(
    double common, int examples, boolean varies, boolean many, double spread) {

  /** Jeffreys prior of a proportion and of a rate: this many successes. */
  private static final double PRIOR = 0.5;

  /** Number of samples that the mean of all implementations counts as. */
  private static final int COMMON_WEIGHT = 2;

  /** Summarizes the samples of all implementations of an operator, each with its own. */
  public static SelectivityPosterior of(List<List<Measurement>> byArm) {
    int answers = 0;
    Set<String> examples = new HashSet<>();
    boolean varies = false;
    boolean many = false;
    double sum = 0;
    double squares = 0;
    for (Measurement measured : byArm.stream().flatMap(List::stream).toList()) {
      if (measured.answered()) {
        double outputs = measured.outputs();
        answers++;
        examples.add(measured.example());
        varies |= outputs != 1;
        many |= outputs > 1;
        sum += outputs;
        squares += outputs * outputs;
      }
    }
    double variance = answers < 2 ? 0 : (squares - sum * sum / answers) / (answers - 1);
    return new SelectivityPosterior(
        answers == 0 ? 1 : sum / answers,
        examples.size(),
        varies,
        many,
        Math.sqrt(Math.max(0, variance)));
  }

  /** The estimated selectivity of an implementation. */
  public double mean(ArmStatistics arm) {
    SampleSummary own = arm.selectivity();
    return own == null
        ? common
        : (own.mean() * own.count() + common * COMMON_WEIGHT) / (own.count() + COMMON_WEIGHT);
  }

  /**
   * The standard deviation of the true mean number of outputs per input: that of a Beta posterior
   * for filters, and of a Gamma posterior for operators with several outputs, or of the sample mean
   * if the numbers of outputs vary more than those of a Poisson distribution.
   *
   * @param mean the estimated selectivity
   */
  public double deviation(double mean) {
    if (!varies) {
      return 0;
    }
    if (many) {
      double rate = Math.sqrt(mean * examples + PRIOR) / examples;
      return Math.max(rate, spread / Math.sqrt(examples));
    }
    double kept = Math.min(1, mean) * examples + PRIOR;
    double dropped = (1 - Math.min(1, mean)) * examples + PRIOR;
    double all = kept + dropped;
    return Math.sqrt(kept * dropped / (all * all * (all + 1)));
  }
}
