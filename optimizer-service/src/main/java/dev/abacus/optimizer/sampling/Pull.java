package dev.abacus.optimizer.sampling;

/**
 * A pull of an arm: one implementation of an operator on one validation example.
 *
 * @param operator id of the logical operator
 * @param arm the implementation
 * @param exampleId the validation example that the input is derived from
 */
public record Pull(String operator, Arm arm, String exampleId) {}
