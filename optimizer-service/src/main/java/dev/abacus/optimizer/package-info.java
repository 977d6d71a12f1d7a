/**
 * The control plane: decides which samples to draw and which plan to run. It calls no model.
 *
 * <p>{@code api} is the way in for other modules. The rest in reading order: {@code search.pareto},
 * {@code search.cost}, {@code search.memo}, {@code search.rule} and {@code search.cascades} choose
 * a plan from estimates; {@code sampling} chooses samples, with {@code sampling.prior} for the
 * beliefs before the first sample; {@code learned} trains classifiers and thresholds; {@code loop}
 * is Algorithm 1 of the paper as a fold over events; {@code governor} moves along the frontier of
 * the active plan while documents flow; {@code kafka} connects loops and governors to topics.
 */
@NullMarked
package dev.abacus.optimizer;

import org.jspecify.annotations.NullMarked;
