package dev.abacus.optimizer.loop.input;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;

/** What to sample: an implementation of an operator on an example with this input. */
public record SampleRequest(
    LogicalOperator operator,
    PhysicalOperator physical,
    String exampleId,
    OperatorInput.Ready input) {}
