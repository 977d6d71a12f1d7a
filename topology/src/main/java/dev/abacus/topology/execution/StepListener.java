package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.topology.operator.OperatorOutcome;

/** Receives the outcome of every step on every document. */
@FunctionalInterface
public interface StepListener {

  /** Ignores all outcomes. */
  StepListener NONE = (_, _, _) -> {};

  /**
   * A step has finished on a document.
   *
   * @param input the document before the step
   */
  void stepFinished(PlanStep step, Document input, OperatorOutcome outcome);
}
