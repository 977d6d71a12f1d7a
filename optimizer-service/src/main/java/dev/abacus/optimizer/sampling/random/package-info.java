/**
 * The baseline that the paper compares the bandit with (section 4.6): {@link
 * dev.abacus.optimizer.sampling.random.RandomSampling}.
 */
@NullMarked
package dev.abacus.optimizer.sampling.random;

import org.jspecify.annotations.NullMarked;
