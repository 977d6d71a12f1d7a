package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import java.util.List;

/** What the steps made of a document. */
public sealed interface PlanOutcome {

  /** What all steps took together, those before a restart included. */
  ExecutionStats stats();

  /**
   * The document went through every step.
   *
   * @param documents one, or what one-to-many steps made of it; at least one
   * @param fannedOut whether there was a one-to-many step, so that outputs are numbered
   */
  record Result(List<Document> documents, boolean fannedOut, ExecutionStats stats)
      implements PlanOutcome {
    public Result {
      documents = List.copyOf(documents);
    }

    /** One document. */
    public Result(Document document, ExecutionStats stats) {
      this(List.of(document), false, stats);
    }
  }

  /**
   * A step kept nothing: a filter dropped it, a one-to-many map or a join found nothing.
   *
   * @param operator id of that step
   */
  record Filtered(String operator, ExecutionStats stats) implements PlanOutcome {}

  /**
   * A step failed, on the document or on one of those that were made of it; the document as a whole
   * has failed, since half of its outputs cannot be told from all of them.
   *
   * @param operator id of the operator
   * @param failure why
   * @param attempts calls of chat models that the step made
   * @param document as it was before the step
   */
  record Failed(
      String operator,
      OperatorFailure failure,
      int attempts,
      Document document,
      ExecutionStats stats)
      implements PlanOutcome {}
}
