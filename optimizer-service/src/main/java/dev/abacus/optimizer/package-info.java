/**
 * The control plane: decides which samples to draw and which plan to run, and knows no model.
 *
 * <p>{@link dev.abacus.optimizer.OptimizerService} is the way in, {@link
 * dev.abacus.optimizer.OptimizerConfig} what can be set. Packages in reading order: {@code pareto},
 * {@code memo}, {@code rule}, {@code cost}, {@code cascades} (which plan, given estimates), {@code
 * prior} (what is believed before the first sample), {@code sampler} (which samples), {@code loop}
 * (Algorithm 1 of the paper: both together, as a fold over events), {@code exchange} (the loops'
 * way to Kafka).
 */
@NullMarked
package dev.abacus.optimizer;

import org.jspecify.annotations.NullMarked;
