package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.Expense;
import java.util.List;
import java.util.Objects;

/**
 * How far a document has come in the steps of a segment.
 *
 * @param nextStep index of the step to run next; the number of steps if all are done
 * @param documents what the steps so far made of it: one, or several once a one-to-many step has
 *     run; at least one
 * @param fannedOut whether a one-to-many step has run, even if it made one output
 * @param expense what the steps so far took
 */
public record Progress(int nextStep, List<Document> documents, boolean fannedOut, Expense expense) {

  public Progress {
    documents = List.copyOf(documents);
    Objects.requireNonNull(expense, "expense");
    if (nextStep < 0) {
      throw new IllegalArgumentException("step " + nextStep);
    }
    if (documents.isEmpty() || (documents.size() > 1 && !fannedOut)) {
      throw new IllegalArgumentException(documents.size() + " documents");
    }
  }

  /** One document. */
  public Progress(int nextStep, Document document, Expense expense) {
    this(nextStep, List.of(document), false, expense);
  }

  /** A document that no step has seen. */
  public static Progress start(Document document) {
    return new Progress(0, document, Expense.NONE);
  }
}
