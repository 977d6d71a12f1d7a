package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.Expense;
import java.util.Objects;

/**
 * How far a document has come in its plan.
 *
 * @param nextStep index of the step to run next; the number of steps if all are done
 * @param document the document with what the steps so far wrote
 * @param expense what the steps so far took
 */
public record Progress(int nextStep, Document document, Expense expense) {

  public Progress {
    Objects.requireNonNull(document, "document");
    Objects.requireNonNull(expense, "expense");
    if (nextStep < 0) {
      throw new IllegalArgumentException("step " + nextStep);
    }
  }

  /** A document that no step has seen. */
  public static Progress start(Document document) {
    return new Progress(0, document, Expense.NONE);
  }
}
