package dev.abacus.schemas.plan;

import dev.abacus.schemas.program.LogicalOperator;

/** An operator of a plan with its chosen implementation. */
public record PlanStep(LogicalOperator logical, PhysicalOperator physical) {}
