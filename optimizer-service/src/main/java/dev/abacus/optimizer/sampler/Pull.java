package dev.abacus.optimizer.sampler;

import dev.abacus.schemas.plan.PhysicalOperator;

/**
 * One pull of one arm: an implementation of an operator, to be tried on a validation example.
 *
 * @param operator id of the logical operator
 * @param physical the arm
 * @param exampleId the validation example that its input goes back to
 */
public record Pull(String operator, PhysicalOperator physical, String exampleId) {}
