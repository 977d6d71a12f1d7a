package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.search.cost.Belief;
import java.util.Map;

/**
 * Decides what to sample next.
 *
 * <p>Pure: the same situation gives the same proposal, whatever came before and in whatever order
 * it came. So a search that is taken up again after a restart goes on where it was.
 *
 * <p>Terminates: a caller who carries out at least one proposed pull each time, and reports it as
 * observed or lost, is told of a conclusion for every operator after finitely many times. Budgets
 * are the caller's business.
 */
@FunctionalInterface
public interface SamplingPolicy {

  Proposal propose(SamplingState situation);

  /**
   * What the samples say of every arm that may be chosen: one that was observed, gave an answer at
   * least once and has a score. Raw means unless a policy knows better.
   *
   * @return by operator id; an operator without such an arm has an empty map
   */
  default Map<String, Map<Arm, Belief>> beliefs(SamplingState situation) {
    return SampleMeans.of(situation);
  }

  /**
   * How many samples an arm needs before its belief is to be trusted while others are there that
   * have as many.
   *
   * @param configured what the caller would ask for: j of the paper
   */
  default int fullSamples(int configured) {
    return configured;
  }

  /** How many standard deviations a plan should keep from the bounds of the objective. */
  default double caution() {
    return 0;
  }
}
