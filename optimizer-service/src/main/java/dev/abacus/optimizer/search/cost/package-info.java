/**
 * Estimates of operators and plans (paper, section 2.3).
 *
 * <p>Read {@link dev.abacus.optimizer.search.cost.OperatorEstimate} and {@link
 * dev.abacus.optimizer.search.cost.Estimates}, then {@link
 * dev.abacus.optimizer.search.cost.CostModel}, which computes the estimate of a plan, and {@link
 * dev.abacus.optimizer.search.cost.Statistics}, which computes estimates from observations. {@link
 * dev.abacus.optimizer.search.cost.LagrangeMultipliers} prices the bounds of an objective.
 */
@NullMarked
package dev.abacus.optimizer.search.cost;

import org.jspecify.annotations.NullMarked;
