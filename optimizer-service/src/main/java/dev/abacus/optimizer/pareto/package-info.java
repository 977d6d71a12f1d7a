/**
 * What it means for one choice to be better than another when several metrics count (paper, section
 * 3.2). Read {@link dev.abacus.optimizer.pareto.Metric}, {@link
 * dev.abacus.optimizer.pareto.MetricVector}, {@link dev.abacus.optimizer.pareto.Dominance}, and
 * last {@link dev.abacus.optimizer.pareto.ParetoFrontier}, which keeps what nothing dominates.
 */
@NullMarked
package dev.abacus.optimizer.pareto;

import org.jspecify.annotations.NullMarked;
