package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.search.cost.Priors;

/**
 * How samples and plans are chosen under one set of beliefs. Policies start from what is believed;
 * with other beliefs it is another policy.
 *
 * @param believed what the policy started from
 * @param planner decides on samples
 * @param chooser decides on plans, by what the same policy makes of the samples
 */
public record Strategy(Priors believed, WavePlanner planner, PlanChooser chooser) {}
