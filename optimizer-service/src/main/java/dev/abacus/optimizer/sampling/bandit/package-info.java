/**
 * Which implementation to try next, on which example (paper, section 3.3). Pure: no clock, no
 * Kafka, no randomness but a seed.
 *
 * <p>Read {@link dev.abacus.optimizer.sampling.bandit.Pull} and {@link
 * dev.abacus.optimizer.sampling.bandit.SamplingSituation} for the terms, {@link
 * dev.abacus.optimizer.sampling.bandit.SamplingPolicy} for the contract; then {@link
 * dev.abacus.optimizer.sampling.bandit.FrontierSampler}, the paper's algorithm, with {@link
 * dev.abacus.optimizer.sampling.bandit.ConfidenceBounds} for its formula, and {@link
 * dev.abacus.optimizer.sampling.bandit.RandomSampling}, which it is compared with.
 */
@NullMarked
package dev.abacus.optimizer.sampling.bandit;

import org.jspecify.annotations.NullMarked;
