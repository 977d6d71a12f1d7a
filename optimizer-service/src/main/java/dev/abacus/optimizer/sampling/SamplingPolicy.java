package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.estimate.Belief;
import java.util.Map;

/**
 * Decides what to sample next.
 *
 * <p>Deterministic: the proposal depends on the state only, not on earlier calls or the order of
 * observations. So a search resumes after a restart.
 *
 * <p>Terminates: if the caller carries out at least one proposed pull each time and reports it as
 * observed or lost, every operator has a conclusion after finitely many calls. The caller enforces
 * budgets.
 */
@FunctionalInterface
public interface SamplingPolicy {

  /** The next samples. */
  Proposal propose(SamplingState situation);

  /**
   * Beliefs about every arm that may be chosen: an arm with an observation that did not fail and a
   * score. The sample means by default.
   *
   * @return by operator id; an operator without such an arm has an empty map
   */
  default Map<String, Map<Arm, Belief>> beliefs(SamplingState situation) {
    return SampleMeans.of(situation);
  }

  /**
   * The number of samples from which an arm counts as fully sampled. Arms with fewer samples are
   * chosen only if no other arm has as many.
   *
   * @param configured the configured number, j of the paper
   */
  default int fullSamples(int configured) {
    return configured;
  }

  /**
   * Whether beliefs state how uncertain they are, so that plans are chosen whose bounds hold in
   * probability. If not, a bound is compared with the estimate.
   */
  default boolean hasDeviations() {
    return false;
  }
}
