package dev.abacus.optimizer.sampler;

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

  Proposal propose(SamplingSituation situation);
}
