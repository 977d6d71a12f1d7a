/**
 * What it means for one choice to be better than another when several metrics count (paper, section
 * 3.2). Read {@link dev.abacus.optimizer.search.pareto.Metric}, {@link
 * dev.abacus.optimizer.search.pareto.MetricVector}, {@link
 * dev.abacus.optimizer.search.pareto.Dominance}, and last {@link
 * dev.abacus.optimizer.search.pareto.ParetoFrontier}, which keeps what nothing dominates.
 */
@NullMarked
package dev.abacus.optimizer.search.pareto;

import org.jspecify.annotations.NullMarked;
