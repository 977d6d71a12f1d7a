package dev.abacus.optimizer.search.memo;

import java.util.List;

/**
 * Every subplan of an input group under every implementation of one logical expression. The
 * subplans of the upper group are not created, because most of them are dominated.
 *
 * @param inputs subplans of the input group
 * @param implementations the logical expression with each of its implementations
 * @param inputError error of the inputs, see {@link GroupFrontier#error}
 */
public record CrossProduct(
    List<Subplan> inputs, List<PhysicalExpression> implementations, double inputError) {}
