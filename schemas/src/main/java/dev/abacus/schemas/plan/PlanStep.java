package dev.abacus.schemas.plan;

import dev.abacus.schemas.program.LogicalOperator;

/** One operator of a plan with the implementation chosen for it. */
public record PlanStep(LogicalOperator logical, PhysicalOperator physical) {}
