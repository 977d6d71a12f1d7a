package dev.abacus.optimizer.estimate;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The uncertainty of the selectivity of an operator by its samples. It depends on the documents
 * more than on the implementation, so the number of examples counts, not the number of samples.
 *
 * @param examples number of distinct examples with an answer
 * @param varies whether some sample has another number of outputs than one
 * @param many whether some sample has more than one output
 * @param spread standard deviation of the number of outputs
 */
public record SelectivityPosterior(int examples, boolean varies, boolean many, double spread) {

  /** Jeffreys prior of a proportion and of a rate: this many successes. */
  private static final double PRIOR = 0.5;

  /** Summarizes the samples of all implementations of an operator. */
  public static SelectivityPosterior of(Collection<Measurement> measurements) {
    Set<String> examples = new HashSet<>();
    boolean varies = false;
    boolean many = false;
    double sum = 0;
    double squares = 0;
    int count = 0;
    for (Measurement measured : measurements) {
      if (measured.answered()) {
        double outputs = measured.outputs();
        examples.add(measured.example());
        varies |= outputs != 1;
        many |= outputs > 1;
        sum += outputs;
        squares += outputs * outputs;
        count++;
      }
    }
    double variance = count < 2 ? 0 : (squares - sum * sum / count) / (count - 1);
    return new SelectivityPosterior(
        examples.size(), varies, many, Math.sqrt(Math.max(0, variance)));
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
