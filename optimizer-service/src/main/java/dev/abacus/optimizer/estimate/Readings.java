package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the evidence of an operator says about its implementations. */
public interface Readings {

  /** The measurements of an implementation in order of their examples, then of their ids. */
  List<Measurement> of(String implementation);

  /** The variance of the scores; null if the scores tell it. */
  @Nullable ScoreVariance scoreVariance();

  /** How cost and latency of live documents differ from those of an implementation's evidence. */
  LiveAmounts live(String implementation);

  /**
   * The cost of an implementation ÷ that of the same calls at the standard service tier, which is
   * known without a sample at its own tier.
   */
  double tierPrice(String implementation);

  /** The readings without the evidence of some examples. */
  Readings without(Collection<String> examples);
}
