package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.pareto.MetricVector;

/**
 * A logical expression with an implementation of its operator (paper, section 3.1).
 *
 * @param physical id of the implementation
 * @param perInput what it does with one input; its cardinality is the selectivity
 */
public record PhysicalExpression(
    LogicalExpression logical, String physical, MetricVector perInput) {}
