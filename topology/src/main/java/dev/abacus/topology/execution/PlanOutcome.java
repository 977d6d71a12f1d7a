package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.Expense;
import dev.abacus.topology.operator.OperatorFailure;

/** What a plan made of a document. */
public sealed interface PlanOutcome {

  /** What all steps took together, those before a restart included. */
  Expense expense();

  /** The document went through every step. */
  record Result(Document document, Expense expense) implements PlanOutcome {}

  /**
   * A filter dropped it.
   *
   * @param operator id of the filter
   */
  record Filtered(String operator, Expense expense) implements PlanOutcome {}

  /**
   * A step failed.
   *
   * @param operator id of the operator
   * @param failure why
   * @param attempts calls of chat models that the step made
   * @param document as it was before the step
   */
  record Failed(
      String operator, OperatorFailure failure, int attempts, Document document, Expense expense)
      implements PlanOutcome {}
}
