/**
 * Estimates of operators and plans (paper, section 2.3).
 *
 * <p>Read {@link dev.abacus.optimizer.search.cost.OperatorEstimate}, then {@link
 * dev.abacus.optimizer.search.cost.CostModel}, which computes the estimate of a plan. {@link
 * dev.abacus.optimizer.search.cost.LagrangeMultipliers} prices the bounds of an objective.
 */
@NullMarked
package dev.abacus.optimizer.search.cost;

import org.jspecify.annotations.NullMarked;
