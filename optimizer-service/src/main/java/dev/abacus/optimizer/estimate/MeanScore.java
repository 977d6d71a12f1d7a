package dev.abacus.optimizer.estimate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mean of scores. A proportion is the mean of scores of 0 and 1; how far scores are of this
 * kind, and what their variance is then, is seen by the model of the scores of all implementations.
 */
record MeanScore() implements Estimator {

  private static final Fit AS_SEEN =
      new Fit() {
        @Override
        public @Nullable Double quality(Evidence evidence) {
          return evidence.seen().quality();
        }

        @Override
        public double outputs(Evidence evidence) {
          return evidence.seen().outputCount();
        }
      };

  @Override
  public Fit fit(List<Evidence> evidence) {
    return AS_SEEN;
  }
}
