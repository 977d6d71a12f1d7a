package dev.abacus.optimizer.sampling;

/**
 * One pull of one arm: an implementation of an operator, to be tried on a validation example.
 *
 * @param operator id of the logical operator
 * @param arm the implementation to try
 * @param exampleId the validation example that its input goes back to
 */
public record Pull(String operator, Arm arm, String exampleId) {}
