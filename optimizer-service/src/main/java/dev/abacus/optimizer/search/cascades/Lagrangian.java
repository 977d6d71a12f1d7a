package dev.abacus.optimizer.search.cascades;

/**
 * What a unit of loss counts in each dimension, and what may be taken off for the bounds: the
 * Lagrangian {@code target + Σ multiplier · (loss − bound)}. No feasible plan has less loss in the
 * target than its Lagrangian, whatever the multipliers, as long as none is negative.
 *
 * @param constant {@code Σ multiplier · bound}
 */
record Lagrangian(double quality, double cost, double latency, double constant) {}
