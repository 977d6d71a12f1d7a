package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.search.cost.Priors;

/**
 * How samples and plans are chosen under one set of beliefs. Policies start from what is believed;
 * with other beliefs it is another policy.
 *
 * @param believed what the policy started from
 * @param planner decides on samples
 * @param chooser decides on plans, by what the same policy makes of the samples
 */
record Strategy(Priors believed, WavePlanner planner, PlanChooser chooser) {

  /** The strategy of the settings, given what is believed before the first sample. */
  static Strategy of(LoopSettings settings, Priors believed) {
    SamplingPolicy policy = settings.policy().apply(believed);
    return new Strategy(
        believed,
        new WavePlanner(settings.seed(), policy, settings.pipelined()),
        new PlanChooser(settings.search(), policy, settings.fullSamples()));
  }
}
