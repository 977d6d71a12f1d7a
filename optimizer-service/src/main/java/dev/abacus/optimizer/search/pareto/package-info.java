/**
 * Comparison of choices by several metrics (paper, section 3.2). Read {@link
 * dev.abacus.optimizer.search.pareto.Metric} and {@link
 * dev.abacus.optimizer.search.pareto.ParetoFrontier}, the non-dominated items.
 *
 * <p>For tables of many rows: {@link dev.abacus.optimizer.search.pareto.NonDominatedRows}, the fast
 * {@link dev.abacus.optimizer.search.pareto.DominancePrefilter}, and {@link
 * dev.abacus.optimizer.search.pareto.EpsilonThinning} for frontiers that are too large.
 */
@NullMarked
package dev.abacus.optimizer.search.pareto;

import org.jspecify.annotations.NullMarked;
