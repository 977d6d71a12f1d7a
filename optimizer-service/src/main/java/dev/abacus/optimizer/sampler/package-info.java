/**
 * Which implementation to try next, on which example (paper, section 3.3). Pure: no clock, no
 * Kafka, no randomness but a seed.
 *
 * <p>Read {@link dev.abacus.optimizer.sampler.Pull} and {@link
 * dev.abacus.optimizer.sampler.SamplingSituation} for the terms, {@link
 * dev.abacus.optimizer.sampler.SamplingPolicy} for the contract; then {@link
 * dev.abacus.optimizer.sampler.FrontierSampler}, the paper's algorithm, with {@link
 * dev.abacus.optimizer.sampler.ConfidenceBounds} for its formula, and {@link
 * dev.abacus.optimizer.sampler.RandomSampling}, which it is compared with.
 */
@NullMarked
package dev.abacus.optimizer.sampler;

import org.jspecify.annotations.NullMarked;
