package dev.abacus.optimizer.search.memo;

import java.util.List;

/**
 * Every subplan of an input under every implementation of one logical expression: subplans of the
 * group above, not made yet, since most are worth nothing.
 *
 * @param inputs subplans of the group below
 * @param implementations the same logical expression with its implementations
 * @param inputError of the inputs, as {@link GroupFrontier#error} has it
 */
public record CrossProduct(
    List<Subplan> inputs, List<PhysicalExpression> implementations, double inputError) {

  public CrossProduct {
    inputs = List.copyOf(inputs);
    implementations = List.copyOf(implementations);
  }
}
