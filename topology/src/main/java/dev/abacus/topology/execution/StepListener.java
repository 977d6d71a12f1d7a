package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.topology.operator.OperatorOutcome;

/** Sees what every step makes of a document. */
@FunctionalInterface
public interface StepListener {

  /** Looks away. */
  StepListener NONE = (_, _, _) -> {};

  /**
   * A step is done.
   *
   * @param input as it was before the step
   */
  void done(PlanStep step, Document input, OperatorOutcome outcome);
}
